#include "system/delegates/completion_event.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "system/delegates/call_on_all.hpp"
#include "system/tasks/wait_name.hpp"

namespace orujo::delegates {

std::uint32_t work_ledger::take_number() {
  std::uint32_t slot;
  if (free_slots_.empty()) {
    slot = next_slot_++;
    require(slot < 1u << 16,
            "more than 65,536 completion events alive at one core: use one for many operations");
  } else {
    slot = free_slots_.back();
    free_slots_.pop_back();
  }
  return static_cast<std::uint32_t>(me_) << 16 | slot;
}

void work_ledger::give_back_number(std::uint32_t number) {
  require(
      static_cast<core_id>(number >> 16) == me_,
      "a completion event destroyed away from its core: it stays where it was made, only its ref() travels");
  free_slots_.push_back(static_cast<std::uint16_t>(number));
}

work_counts& work_ledger::find(std::uint32_t number) {
  const std::uint32_t creator = number >> 16, slot = number & 0xffff;
  if (creator >= counts_.size()) counts_.resize(creator + 1);
  if (slot >= counts_[creator].size()) counts_[creator].resize(slot + 1);
  return counts_[creator][slot];
}

void completion_event::wait(const call_site& at) {
  using clock = std::chrono::steady_clock;
  wave_detector detector;
  tasks::wait_name waits_for("a completion event", at);
  const std::uint64_t earlier = work_ledger::here().complete(number_);
  // While nothing else goes on, waves are no sign that something does.
  const auto counts = [number = number_] {
    messages::messenger::here().count_as_look();
    return work_ledger::here().at(number);
  };
  for (const auto start = clock::now();;) {
    work_counts sums;
    const auto add = [&sums](core_id, const work_counts& of_core) {
      messages::messenger::here().count_as_look();
      sums += of_core;
    };
    call_on_all(counts, add, waits_for.text());
    if (detector.complete_after(sums)) {
      work_ledger::here().complete(number_) = sums.done;
      break;
    }
    // The next wave may be the last; or else the longer it has taken, the longer it may still take. Every
    // wave wakes all cores.
    if (sums.issued == sums.done) continue;
    const std::chrono::nanoseconds waited = clock::now() - start;
    const auto longest = std::clamp<std::chrono::nanoseconds>(waited / 256, std::chrono::microseconds(500),
                                                              std::chrono::milliseconds(10));
    waits_for = tasks::wait_name(fmt::format("a completion event with {} issued and {} done",
                                             sums.issued - earlier, sums.done - earlier),
                                 at);
    tasks::scheduler::here()->pause(std::min(longest, waited / 8), waits_for.text(),
                                    tasks::scheduler::pauses::to_look_again);
  }
  waited_for_ = issued_here();
}

void completion_event::wait_at_its_end() {
  require(tasks::scheduler::here()->may_suspend(),
          "a completion event ends in a message handler, which cannot wait for the work issued to it: keep "
          "it in a task",
          made_);
  wait(made_);
}

}  // namespace orujo::delegates
