// The vertices of a core that another locale mirrors, in the order in which both ends know them, and which of
// them are to be told in a round.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "framework/exchange/squeezed_bits.hpp"
#include "framework/graph/distributed_graph.hpp"

namespace orujo::exchange {

// How a set is related to those sent before it. A growing set has all their members, and each member is sent
// once until forget(). Of unrelated sets all members are sent.
enum class told_sets { growing, unrelated };

// What one core tells one locale of: its own part's vertices, or those of the whole locale where it is this
// core's turn, or none. A place is one in the list of these vertices, which ascend.
class told_list {
 public:
  // most_by_one: vertices of the whole locale of which one core tells, if there are no more.
  told_list(const graph::locale_graph& g, locale_id peer, told_sets sets, std::size_t most_by_one);

  std::span<const std::uint32_t> vertices() const {
    return of_all_cores_.empty() ? vertices_ : std::span<const std::uint32_t>(of_all_cores_);
  }
  // The first one's, among all mirrors of the peer.
  std::uint32_t first_mirror() const { return first_mirror_; }
  // Words and vertices that collect_news() looks at.
  std::size_t looked_at() const;

  // news: a bit per place, of the members of a set; of growing sets those that were not sent, but are from
  // now on. members: by local index; bits of mirrors in it may be set meanwhile.
  void collect_news(std::span<bit_word> members, std::vector<bit_word>& news);

  // Lists a vertex of the locale, by its index among the peer's mirrors, if this core tells of it.
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

  // Nothing was sent.
  void forget() { std::fill(sent_.begin(), sent_.end(), bit_word{0}); }

 private:
  std::size_t words_spanned() const;
  bool is_dense() const;
  const std::vector<bit_word>& mask();

  std::uint32_t first_mirror_ = 0;
  std::uint32_t first_ = 0, last_ = 0;  // own vertices among which they are
  std::span<const std::uint32_t> vertices_;
  std::vector<std::uint32_t> of_all_cores_;
  std::vector<bit_word> sent_;  // by place; of growing sets
  std::vector<bit_word> mask_;  // by vertex, from the first one's word on; of dense lists, once needed
  std::vector<bit_word> loaded_;
  std::vector<std::uint32_t> listed_;  // places
};

}  // namespace orujo::exchange
