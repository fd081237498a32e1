// What it takes a locale to send and to receive a block with little in it, measured as it goes on.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>

#include "system/messages/block.hpp"

namespace orujo::messages {

// About the median of all samples: each moves it by a sixteenth. A thread that has lost its CPU meanwhile
// measures milliseconds, which count no more than any other sample above. At least 1.
constexpr double moved_towards(double median, double sample) {
  constexpr double step = 1.0 / 16;
  return std::max(1.0, sample > median ? median * (1 + step) : median * (1 - step));
}

// Samples: one thread at a time; ns(): any.
class block_cost {
 public:
  // So many blocks of so many bytes together took so long, in one parcel or in one look at the transport.
  void sent(std::uint64_t blocks, std::uint64_t bytes, double ns) { add(send_ns_, blocks, bytes, ns); }
  void received(std::uint64_t blocks, std::uint64_t bytes, double ns) { add(receive_ns_, blocks, bytes, ns); }

  // Of one block, both ends together: what another locale receives from here costs it as much as this one
  // what it receives from others.
  double ns() const {
    return send_ns_.load(std::memory_order_relaxed) + receive_ns_.load(std::memory_order_relaxed);
  }

 private:
  // Blocks with much in them are copied for long, whenever they leave: they say nothing.
  static void add(std::atomic<double>& median, std::uint64_t blocks, std::uint64_t bytes, double ns) {
    if (blocks == 0 || bytes > blocks * (block_bytes / 4)) return;
    const double before = median.load(std::memory_order_relaxed);
    median.store(moved_towards(before, ns / static_cast<double>(blocks)), std::memory_order_relaxed);
  }

  // Until something is measured, about what it takes between two processes of a node.
  std::atomic<double> send_ns_{250}, receive_ns_{250};
};

}  // namespace orujo::messages
