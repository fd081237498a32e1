// Positions of the vertices that one core has found in a superstep, from which all cores of a locale take.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>

#include "system/loops/forall.hpp"

namespace orujo::internal::steps {

// Its core takes from the front. Other cores come when they have nothing left, and steal half of the rest
// from the back. So vertices that are found side by side stay with one core, and cores do not write the same
// lines. Positions are below 2^32.
//
// Any core may call these functions, except reset(), which its core calls while no core takes. Memory order
// is relaxed, as the data at the positions has been written before the superstep.
class alignas(64) found_share {
 public:
  void reset(index_range places) { left_.store(pack(places), std::memory_order_relaxed); }

  // Takes up to `most` positions from the front; returns an empty range if none is left.
  index_range take(std::uint64_t most) {
    return take_by([most](index_range left) {
      const std::uint64_t end = std::min<std::uint64_t>(left.last, left.first + most);
      return cut{{left.first, end}, {end, left.last}};
    });
  }
  // Takes half of the rest, but at least `least` positions if there are as many.
  index_range steal(std::uint64_t least) {
    return take_by([least](index_range left) {
      const std::uint64_t size = left.last - left.first;
      const std::uint64_t begin = left.last - std::min(size, std::max(size / 2, least));
      return cut{{begin, left.last}, {left.first, begin}};
    });
  }

 private:
  struct cut {
    index_range taken, left;
  };

  static std::uint64_t pack(index_range r) { return std::uint64_t{r.last} << 32 | r.first; }

  template <class Cut>
  index_range take_by(Cut cut_from) {
    std::uint64_t word = left_.load(std::memory_order_relaxed);
    for (;;) {
      const index_range left{word & 0xffffffff, word >> 32};
      if (left.first >= left.last) return {};
      const cut now = cut_from(left);
      if (left_.compare_exchange_weak(word, pack(now.left), std::memory_order_relaxed)) return now.taken;
    }
  }

  std::atomic<std::uint64_t> left_{0};  // a core steals only when it has none left, so no position comes back
};

}  // namespace orujo::internal::steps
