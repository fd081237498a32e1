// Samples of different numbers, such as positions of vertices.
#pragma once

#include <algorithm>
#include <cstdint>
#include <set>
#include <vector>

#include "system/base/random.hpp"

namespace orujo::internal::algorithms {

// Any thread. `count` different numbers below `bound`, ascending, all if there are no more. Each set of so
// many is equally likely. After Floyd, in Bentley, Floyd, "A Sample of Brilliance", CACM 30(9), 1987: takes
// time by `count` alone.
inline std::vector<std::uint64_t> draw_different(random_stream random, std::uint64_t bound,
                                                 std::uint64_t count) {
  std::set<std::uint64_t> chosen;
  for (std::uint64_t last = bound - std::min(bound, count); last < bound; ++last) {
    if (!chosen.insert(random.below(last + 1)).second) chosen.insert(last);
  }
  return {chosen.begin(), chosen.end()};
}

// Any thread. `count` different positions of `vertices`, as above; the same for the same seed.
inline std::vector<std::uint64_t> sample_positions(std::uint64_t vertices, std::uint64_t count,
                                                   std::uint64_t seed) {
  return draw_different(random_stream(seed), vertices, count);
}

}  // namespace orujo::internal::algorithms
