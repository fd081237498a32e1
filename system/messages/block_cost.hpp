// A locale's cost of sending and receiving a nearly empty block, measured during the job.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>

#include "system/messages/block.hpp"

namespace orujo::internal::messages {

// Approximates the median of all samples: each moves it by a sixteenth. A thread that loses its CPU meanwhile
// measures milliseconds, which count no more than any other sample above. At least 1.
constexpr double moved_towards(double median, double sample) {
  constexpr double step = 1.0 / 16;
  return std::max(1.0, sample > median ? median * (1 + step) : median * (1 - step));
}

// One thread at a time adds samples; any thread calls ns().
class block_cost {
 public:
  // Adds a sample: one parcel, or one poll of the transport, with `blocks` blocks of `bytes` bytes together
  // took `ns`.
  void sent(std::uint64_t blocks, std::uint64_t bytes, double ns) { add(send_ns_, blocks, bytes, ns); }
  void received(std::uint64_t blocks, std::uint64_t bytes, double ns) { add(receive_ns_, blocks, bytes, ns); }

  // The cost of one block, both ends together. Receiving a block from here costs another locale as much as
  // receiving one from others costs this locale.
  double ns() const {
    return send_ns_.load(std::memory_order_relaxed) + receive_ns_.load(std::memory_order_relaxed);
  }

 private:
  // Full blocks are left out, because copying them takes long whenever they leave.
  static void add(std::atomic<double>& median, std::uint64_t blocks, std::uint64_t bytes, double ns) {
    if (blocks == 0 || bytes > blocks * (block_bytes / 4)) return;
    const double before = median.load(std::memory_order_relaxed);
    median.store(moved_towards(before, ns / static_cast<double>(blocks)), std::memory_order_relaxed);
  }

  // Before the first sample: about the cost between two processes of a node.
  std::atomic<double> send_ns_{250}, receive_ns_{250};
};

}  // namespace orujo::internal::messages
