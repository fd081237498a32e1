// Where a locale's mirrors live, for those who tell many owners one after the other.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include "framework/graph/distributed_graph.hpp"
#include "system/base/identity.hpp"

namespace orujo::exchange {

// Any thread. The owner follows from the mirror's place, as the mirrors of one core's vertices lie together,
// so that no branch waits for the mirror's number: of many mirrors here and there the processor has several
// numbers under way, where graph.home_of() has it wait for each. Nor does one wait for a search among the
// cores, of which as good as no step can be foreseen: which core's mirrors lie at a place is kept for
// stretches of places, many for each core. 4 bytes per core of the job and per stretch.
class mirror_homes {
 public:
  explicit mirror_homes(const graph::locale_graph& g) : numbers_(g.mirrored.data()) {
    for (core_id c = 0; c < cores(); ++c) {
      const auto end = std::lower_bound(g.mirrored.begin(), g.mirrored.end(), g.owners.last_of(c));
      const core_id leader = shape().first_core_of(shape().locale_of(c));
      ends_.push_back(static_cast<std::uint32_t>(end - g.mirrored.begin()));
      firsts_.push_back(g.owners.first_of(leader));
    }
    const std::size_t most = std::bit_ceil(std::max(least_stretches, stretches_per_core * ends_.size()));
    while (g.mirrored.size() >> stretch_bits_ >= most) ++stretch_bits_;
    for (std::size_t m = 0; m < g.mirrored.size(); m += std::size_t{1} << stretch_bits_) {
      owner_at_.push_back(
          static_cast<core_id>(std::upper_bound(ends_.begin(), ends_.end(), m) - ends_.begin()));
    }
  }

  // Of the m-th mirror.
  graph::owned_place operator[](std::uint32_t m) const {
    auto owner = static_cast<std::size_t>(owner_at_[m >> stretch_bits_]);
    while (ends_[owner] <= m) ++owner;
    return {static_cast<core_id>(owner), static_cast<std::uint32_t>(numbers_[m] - firsts_[owner])};
  }
  void fetch(std::uint32_t m) const { __builtin_prefetch(numbers_ + m); }
  const std::uint64_t* number(std::uint32_t m) const { return numbers_ + m; }

 private:
  static constexpr std::size_t least_stretches = 1024, stretches_per_core = 4;

  const std::uint64_t* numbers_;       // of the mirrors
  std::vector<std::uint32_t> ends_;    // by core: its mirrors are before this one
  std::vector<std::uint64_t> firsts_;  // by core: number of its locale's first vertex
  unsigned stretch_bits_ = 0;          // of a place: the binary logarithm of a stretch's length
  std::vector<core_id> owner_at_;      // by stretch: of its first place
};

}  // namespace orujo::exchange
