#include "system/delegates/completion_event.hpp"

#include <glog/logging.h>

#include "system/messages/messenger.hpp"
#include "system/tasks/sync.hpp"

namespace orujo::delegates {
namespace {

// Sums up while the cores' answers come in; lies on the waiting task's stack.
struct wave {
  tasks::join_counter missing;
  work_counts sums;
};

work_counts ask_all_cores(std::uint32_t number) {
  messages::messenger& here = messages::messenger::here();
  const int cores = here.shape().cores();
  wave asked{tasks::join_counter(static_cast<std::size_t>(cores)), {}};
  wave* const answers = &asked;
  const core_id me = here.core();
  for (core_id c = 0; c < cores; ++c) {
    here.send(c, [=] {
      const work_counts counts = work_ledger::here().at(number);
      messages::messenger::here().send(me, [=] {
        answers->sums.issued += counts.issued;
        answers->sums.done += counts.done;
        answers->missing.complete();
      });
    });
  }
  asked.missing.wait();
  return asked.sums;
}

}  // namespace

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

void work_ledger::grow(std::uint32_t creator, std::uint32_t slot) {
  if (creator >= counts_.size()) counts_.resize(creator + 1);
  if (slot >= counts_[creator].size()) counts_[creator].resize(slot + 1);
}

void completion_event::wait() {
  wave_detector detector;
  while (!detector.complete_after(ask_all_cores(number_))) tasks::yield();
}

}  // namespace orujo::delegates
