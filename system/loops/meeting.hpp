// Where the cores of a locale meet in collectives: each shows the others where its part lies, in memory that
// they share, and the last to come does for all what there is to do.
#pragma once

#include <atomic>
#include <cstddef>
#include <span>
#include <vector>

#include "system/base/aligned_bytes.hpp"

namespace orujo::loops {

// One core's: what it brings, and where what it gets goes.
struct collective_part {
  std::span<std::byte> in, out;
};

// Shared by the cores of a locale; a core stays in one meeting until it is released from it.
class meeting {
 public:
  explicit meeting(int cores) : places_(static_cast<std::size_t>(cores)) {}
  meeting(const meeting&) = delete;

  // A core has come. True for the last one: now all parts may be read and written, until their cores are
  // released, which takes a message, and the next meeting may begin.
  bool arrive(int number, const collective_part& mine) {
    places_[static_cast<std::size_t>(number)].part = mine;
    if (arrived_.fetch_add(1, std::memory_order_acq_rel) + 1 < size()) return false;
    arrived_.store(0, std::memory_order_relaxed);
    return true;
  }
  int size() const { return static_cast<int>(places_.size()); }
  const collective_part& part(int number) const { return places_[static_cast<std::size_t>(number)].part; }

 private:
  struct alignas(base::cache_line_bytes) place {
    collective_part part;
  };
  std::vector<place> places_;
  alignas(base::cache_line_bytes) std::atomic<int> arrived_{0};
};

}  // namespace orujo::loops
