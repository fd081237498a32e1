#include "system/delegates/delegate.hpp"

namespace orujo::delegates::detail {

void wait_for_own_messages() {
  call(my_core(), [] {});
}

}  // namespace orujo::delegates::detail
