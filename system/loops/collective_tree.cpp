#include "system/loops/collective_tree.hpp"

#include <glog/logging.h>

#include <cstring>

#include "system/observe/trace.hpp"

namespace orujo::loops {

collective::collective(core_id me, const job_shape& shape)
    : me_(me), shape_(shape), locale_(shape.locale_of(me)), leader_(shape.first_core_of(locale_)) {
  cores_.contributions.resize(static_cast<std::size_t>(shape.cores_of(locale_)));
  locales_.contributions.resize(static_cast<std::size_t>(shape.locales()));
}

void collective::reduce(group g, std::span<std::byte> value, const combine_bytes& combine) {
  CHECK_LE(value.size(), max_bytes);
  const observe::trace_scope traced("collective", value.size());
  const bool of_cores = g != group::leaders;
  if (of_cores && me_ != leader_) {
    contribute(leader_, &collective::cores_, me_ - leader_, value);
    return await_release(value);
  }
  CHECK_EQ(me_, leader_) << "only the first core of a locale is one of the leaders";
  if (of_cores) gather(cores_, value, combine);
  if (g != group::locale && shape_.locales() > 1) {
    if (locale_ == 0) {
      gather(locales_, value, combine);
      for (locale_id l = 1; l < shape_.locales(); ++l) release(shape_.first_core_of(l), value);
    } else {
      contribute(shape_.first_core_of(0), &collective::locales_, locale_, value);
      await_release(value);
    }
  }
  if (of_cores) {
    for (core_id c = leader_ + 1; c < leader_ + shape_.cores_of(locale_); ++c) release(c, value);
  }
}

void collective::contribute(core_id to, level collective::*which, int slot,
                            std::span<const std::byte> value) {
  messages::messenger::here().send_with_payload(
      to,
      [which, slot](std::span<const std::byte> contribution) {
        collective& there = here();
        level& at = there.*which;
        at.contributions[static_cast<std::size_t>(slot)].assign(contribution.begin(), contribution.end());
        ++at.arrived;
        tasks::scheduler::here()->wake_all(there.waiting_);
      },
      value);
  messages::messenger::here().flush(to);
}

// The first contributor is the gathering core itself, whose contribution is `value`.
void collective::gather(level& from, std::span<std::byte> value, const combine_bytes& combine) {
  const int others = static_cast<int>(from.contributions.size()) - 1;
  while (from.arrived < others)
    tasks::scheduler::here()->suspend(waiting_, "the other members of a collective");
  from.arrived = 0;
  for (int k = 1; k <= others; ++k) {
    const std::vector<std::byte>& contribution = from.contributions[static_cast<std::size_t>(k)];
    CHECK_EQ(contribution.size(), value.size())
        << "the members of a collective disagree: called in another order?";
    combine(value, contribution);
  }
}

void collective::release(core_id to, std::span<const std::byte> result) {
  messages::messenger::here().send_with_payload(
      to,
      [](std::span<const std::byte> combined) {
        collective& there = here();
        there.result_.assign(combined.begin(), combined.end());
        there.released_ = true;
        tasks::scheduler::here()->wake_all(there.waiting_);
      },
      result);
  messages::messenger::here().flush(to);
}

void collective::await_release(std::span<std::byte> value) {
  while (!released_) tasks::scheduler::here()->suspend(waiting_, "the other members of a collective");
  released_ = false;
  CHECK_EQ(result_.size(), value.size());
  if (!value.empty()) std::memcpy(value.data(), result_.data(), value.size());
}

}  // namespace orujo::loops
