#include "system/delegates/counted_call.hpp"

#include "system/tasks/sync.hpp"

namespace orujo::delegates::detail {

void wait_for_own_messages() {
  tasks::join_counter handled(1, "the messages of this core to itself");
  messenger::here().send(my_core(), [counter = &handled] { counter->complete(); });
  handled.wait();
}

void completion::done() const {
  if (!counter_) return event_ref(event_).done();
  messenger::here().send(core_, [counter = counter_] { counter->complete(); });
}

}  // namespace orujo::delegates::detail
