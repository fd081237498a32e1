#include "system/delegates/completion_event.hpp"

#include <glog/logging.h>

#include <algorithm>
#include <chrono>

#include "system/delegates/call_on_all.hpp"

namespace orujo::delegates {

std::uint32_t work_ledger::take_number() {
  std::uint32_t slot;
  if (free_slots_.empty()) {
    slot = next_slot_++;
    CHECK_LT(slot, 1u << 16) << "too many completion events alive at one core";
  } else {
    slot = free_slots_.back();
    free_slots_.pop_back();
  }
  return static_cast<std::uint32_t>(me_) << 16 | slot;
}

void work_ledger::give_back_number(std::uint32_t number) {
  CHECK_EQ(static_cast<core_id>(number >> 16), me_) << "a completion event destroyed away from its core";
  free_slots_.push_back(static_cast<std::uint16_t>(number));
}

work_counts& work_ledger::find(std::uint32_t number) {
  const std::uint32_t creator = number >> 16, slot = number & 0xffff;
  if (creator >= counts_.size()) counts_.resize(creator + 1);
  if (slot >= counts_[creator].size()) counts_[creator].resize(slot + 1);
  return counts_[creator][slot];
}

void completion_event::wait() {
  using clock = std::chrono::steady_clock;
  wave_detector detector;
  const auto counts = [number = number_] { return work_ledger::here().at(number); };
  for (const auto start = clock::now();;) {
    const work_counts sums = sum_of_all(counts);
    if (detector.complete_after(sums)) return;
    // The next wave may be the last; or else the longer it has taken, the longer it may still take.
    if (sums.issued == sums.done) continue;
    const std::chrono::nanoseconds longest = std::chrono::microseconds(500);
    tasks::scheduler::here()->pause(std::min(longest, (clock::now() - start) / 8));
  }
}

}  // namespace orujo::delegates
