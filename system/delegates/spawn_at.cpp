#include "system/delegates/spawn_at.hpp"

#include <utility>

namespace orujo::internal::delegates::detail {

void complete_at(core_id to, tasks::join_counter* counter) {
  messages::messenger::here().send(to, [counter] { counter->complete(); });
}

void completion::done() const {
  if (!counter_) return event_ref(event_).done();
  complete_at(core_, counter_);
}

void wait_for_own_messages() {
  tasks::join_counter handled(1, "the messages of this core to itself");
  complete_at(my_core(), &handled);
  handled.wait();
}

void spawn_here(tasks::task&& started) { tasks::scheduler::here()->spawn(std::move(started)); }

}  // namespace orujo::internal::delegates::detail
