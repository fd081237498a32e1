// The vertices of a core that another locale mirrors, in an order that both ends know, and which of them are
// sent in a round.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "framework/exchange/squeezed_bits.hpp"
#include "framework/graph/distributed_graph.hpp"

namespace orujo::internal::exchange {

// The relation of a set to those sent before it. A growing set has all their members, and each member is sent
// once until forget(). All members of unrelated sets are sent.
enum class told_sets { growing, unrelated };

// The vertices that one core sends to one locale, ascending: those of its own part, those of the whole locale
// if it is this core's turn, or none. A place is a position in this list.
class told_list {
 public:
  // `most_by_one` is the number of vertices of the whole locale up to which one core sends them all.
  told_list(const graph::locale_graph& g, locale_id peer, told_sets sets, std::size_t most_by_one);

  std::span<const std::uint32_t> vertices() const {
    return of_all_cores_.empty() ? vertices_ : std::span<const std::uint32_t>(of_all_cores_);
  }
  // The index of the first vertex's mirror among all mirrors of the peer.
  std::uint32_t first_mirror() const { return first_mirror_; }
  // Number of words and vertices that collect_news() examines.
  std::size_t looked_at() const;

  // Sets `news` to a bit per place, for the members of a set. In a growing set these are members that were
  // not sent before; they count as sent afterwards. `members` is by local index; bits of mirrors in it may be
  // set concurrently.
  void collect_news(std::span<bit_word> members, std::vector<bit_word>& news);

  // Lists a vertex of the locale, by its index among the peer's mirrors, if this core sends it.
  void list(std::uint32_t v, std::uint32_t mirror) {
    if (v < first_ || v >= last_) return;
    const std::uint32_t place = mirror - first_mirror_;
    listed_.push_back(place);
    if (!sent_.empty()) sent_[place / bits_of_word] |= bit_word{1} << place % bits_of_word;
  }
  std::span<const std::uint32_t> listed() const { return listed_; }
  std::span<const std::uint32_t> sort_listed() {
    std::sort(listed_.begin(), listed_.end());
    return listed_;
  }
  void forget_listed() { listed_.clear(); }

  // Counts no vertex as sent.
  void forget() { std::fill(sent_.begin(), sent_.end(), bit_word{0}); }

 private:
  std::size_t words_spanned() const;
  bool is_dense() const;
  const std::vector<bit_word>& mask();

  std::uint32_t first_mirror_ = 0;
  std::uint32_t first_ = 0, last_ = 0;  // range of own vertices that has them
  std::span<const std::uint32_t> vertices_;
  std::vector<std::uint32_t> of_all_cores_;
  std::vector<bit_word> sent_;  // by place; of growing sets
  std::vector<bit_word> mask_;  // by vertex, from the first one's word on; of dense lists, once needed
  std::vector<bit_word> loaded_;
  std::vector<std::uint32_t> listed_;  // places
};

}  // namespace orujo::internal::exchange
