// Tasks of other cores, their completion at the core that started them, and the completion of what a core has
// sent itself.
#pragma once

#include <cstddef>
#include <cstdint>

#include "system/base/binary.hpp"
#include "system/base/call_site.hpp"
#include "system/base/identity.hpp"
#include "system/delegates/completion_event.hpp"
#include "system/messages/messenger.hpp"
#include "system/tasks/scheduler.hpp"
#include "system/tasks/sync.hpp"
#include "system/tasks/task.hpp"

namespace orujo::internal::delegates::detail {

// [task or handler] Completes a part of `counter`, which is of core `to`.
void complete_at(core_id to, tasks::join_counter* counter);

// The completion of a part of an operation: an event, or a counter of the core that asked. Can travel.
class completion {
 public:
  explicit completion(event_ref event) : event_(event.number()) {}
  explicit completion(tasks::join_counter& counter) : counter_(&counter), core_(my_core()) {}

  // At the core that asks, before the part can be done.
  void issue() const {
    if (!counter_) return event_ref(event_).issue();
    counter_->add();
  }
  // At the core that does it.
  void done() const;

 private:
  tasks::join_counter* counter_ = nullptr;
  core_id core_ = 0;
  std::uint32_t event_ = 0;
};

// [task; suspends] The slow path of catch_up().
void wait_for_own_messages();
// [task] Returns when what this core has sent itself is done: its own memory is then as its tasks have left
// it.
inline void catch_up() {
  if (!messages::messenger::here().has_caught_up() && tasks::scheduler::here()->may_suspend())
    wait_for_own_messages();
}

// A task on its way to its core.
template <class F>
struct start_of_task {
  std::ptrdiff_t name;  // of the function that started it, in the binary
  F f;
};
// [handler] Starts a task of this core.
void spawn_here(tasks::task&& started);
template <class F>
void start_tasks(const messages::run& r) {
  const auto* starts = reinterpret_cast<const start_of_task<F>*>(r.data);
  for (std::uint32_t k = 0; k < r.count; ++k)
    spawn_here(tasks::task(starts[k].f, base::at_offset_in_binary(starts[k].name)));
}

// [task or handler] Starts f as a task of `core`. f has to be able to travel. Costs one message.
template <class F>
void spawn_at(core_id core, const F& f, const call_site& origin) {
  using message = start_of_task<F>;
  messages::messenger::here().send_seldom<message, &start_tasks<F>>(
      core, {base::offset_in_binary(origin.function_name()), f});
}

}  // namespace orujo::internal::delegates::detail
