#include "system/delegates/counted_call.hpp"

#include "system/delegates/spawn_at.hpp"
#include "system/tasks/sync.hpp"

namespace orujo::delegates::detail {

void wait_for_own_messages() {
  tasks::join_counter handled(1, "the messages of this core to itself");
  complete_at(my_core(), &handled);
  handled.wait();
}

}  // namespace orujo::delegates::detail
