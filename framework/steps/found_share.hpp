// The places of a superstep's vertices that one core has found, from which all cores of a locale take.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>

#include "system/loops/forall.hpp"

namespace orujo::steps {

// Its core takes from the front. Others come when they have nothing left, and take half of what there is from
// the back: what is found side by side stays with one core, so that cores do not write the same lines.
// Places are below 2^32. Any core, but reset(): its core's, while nobody takes. Relaxed: what is at the
// places has been written before the superstep.
class alignas(64) found_share {
 public:
  void reset(loops::index_range places) { left_.store(pack(places), std::memory_order_relaxed); }

  // Up to `most` from the front; empty when there is nothing left.
  loops::index_range take(std::uint64_t most) {
    return take_by([most](loops::index_range left) {
      const std::uint64_t end = std::min<std::uint64_t>(left.last, left.first + most);
      return cut{{left.first, end}, {end, left.last}};
    });
  }
  // Half of what is left, but no less than `least` if there is that.
  loops::index_range steal(std::uint64_t least) {
    return take_by([least](loops::index_range left) {
      const std::uint64_t size = left.last - left.first;
      const std::uint64_t begin = left.last - std::min(size, std::max(size / 2, least));
      return cut{{begin, left.last}, {left.first, begin}};
    });
  }

 private:
  struct cut {
    loops::index_range taken, left;
  };

  static std::uint64_t pack(loops::index_range r) { return std::uint64_t{r.last} << 32 | r.first; }

  template <class Cut>
  loops::index_range take_by(Cut cut_from) {
    std::uint64_t word = left_.load(std::memory_order_relaxed);
    for (;;) {
      const loops::index_range left{word & 0xffffffff, word >> 32};
      if (left.first >= left.last) return {};
      const cut now = cut_from(left);
      if (left_.compare_exchange_weak(word, pack(now.left), std::memory_order_relaxed)) return now.taken;
    }
  }

  std::atomic<std::uint64_t> left_{0};  // a core that steals has none of its own: no place comes back
};

}  // namespace orujo::steps
