#include "system/delegates/counted_call.hpp"

#include "system/tasks/sync.hpp"

namespace orujo::delegates::detail {

void wait_for_own_messages() {
  tasks::join_counter handled(1, "the messages of this core to itself");
  messenger::here().send(my_core(), [counter = &handled] { counter->complete(); });
  handled.wait();
}

}  // namespace orujo::delegates::detail
