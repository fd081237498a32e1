#include "system/delegates/spawn_at.hpp"

#include <utility>

#include "system/tasks/scheduler.hpp"

namespace orujo::delegates::detail {

void complete_at(core_id to, tasks::join_counter* counter) {
  messages::messenger::here().send(to, [counter] { counter->complete(); });
}

void completion::done() const {
  if (!counter_) return event_ref(event_).done();
  complete_at(core_, counter_);
}

void spawn_here(tasks::task&& started) { tasks::scheduler::here()->spawn(std::move(started)); }

}  // namespace orujo::delegates::detail
