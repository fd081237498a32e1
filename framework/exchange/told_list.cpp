#include "framework/exchange/told_list.hpp"

#include <atomic>

#include "framework/exchange/peers.hpp"
#include "system/base/identity.hpp"

namespace orujo::internal::exchange {

told_list::told_list(const graph::locale_graph& g, locale_id peer, told_sets sets, std::size_t most_by_one) {
  if (peer == my_locale()) return;
  const auto list_of = [peer](const graph::core_part& part) -> const graph::mirror_list& {
    return part.mirrored_by[peer];
  };
  std::size_t of_all = 0;
  for (const graph::core_part& part : g.parts) of_all += list_of(part).vertices.size();
  if (!may_take_turns(my_locale()) || of_all > most_by_one) {
    first_mirror_ = list_of(g.my_part()).first_mirror;
    vertices_ = list_of(g.my_part()).vertices;
    first_ = g.my_part().first;
    last_ = g.my_part().last;
  } else if (teller(my_locale(), peer) == my_core()) {
    last_ = g.own;
    for (const graph::core_part& part : g.parts) {
      const graph::mirror_list& list = list_of(part);
      if (of_all_cores_.empty()) first_mirror_ = list.first_mirror;
      of_all_cores_.insert(of_all_cores_.end(), list.vertices.begin(), list.vertices.end());
    }
  }
  if (sets == told_sets::unrelated) return;
  sent_.resize(words_for(vertices().size()));
  if (is_dense()) mask();
}

std::size_t told_list::looked_at() const {
  return words_for(vertices().size()) + (is_dense() ? words_spanned() : vertices().size());
}

std::size_t told_list::words_spanned() const {
  return vertices().back() / bits_of_word - vertices().front() / bits_of_word + 1;
}

// Moving the bits of a word together costs about as much as testing four single bits.
bool told_list::is_dense() const { return !vertices().empty() && vertices().size() / 4 >= words_spanned(); }

const std::vector<bit_word>& told_list::mask() {
  if (!mask_.empty()) return mask_;
  mask_.resize(words_spanned());
  for (const std::uint32_t v : vertices())
    mask_[v / bits_of_word - vertices().front() / bits_of_word] |= bit_word{1} << v % bits_of_word;
  return mask_;
}

void told_list::collect_news(std::span<bit_word> members, std::vector<bit_word>& news) {
  // A word may end with bits of mirrors, which arrive at the same time.
  const auto load = [](bit_word& from) { return std::atomic_ref(from).load(std::memory_order_relaxed); };
  const std::span<const std::uint32_t> all = vertices();
  if (is_dense()) {
    const std::vector<bit_word>& of_list = mask();
    loaded_.resize(of_list.size());
    bit_word* const from = &members[all.front() / bits_of_word];
    for (std::size_t w = 0; w < of_list.size(); ++w) loaded_[w] = load(from[w]);
    squeeze(loaded_, of_list, all.size(), news);
  } else {
    news.assign(words_for(all.size()), 0);
    for (std::size_t k = 0; k < all.size(); ++k)
      news[k / bits_of_word] |= (load(members[all[k] / bits_of_word]) >> all[k] % bits_of_word & 1)
                                << k % bits_of_word;
  }
  for (std::size_t w = 0; w < sent_.size(); ++w) {
    news[w] &= ~sent_[w];
    sent_[w] |= news[w];
  }
}

}  // namespace orujo::internal::exchange
