#include "system/delegates/gather.hpp"

#include <array>
#include <memory>

namespace orujo::delegates::detail {

// Handlers send the answers and cannot wait. The requests wait in their place.
tasks::semaphore& gathers_under_way() {
  static thread_local tasks::semaphore permits(256);
  return permits;
}

// Not thread-local itself: an interpreter has little room for the thread-local variables of its modules.
std::span<std::byte> bytes_of_an_answer() {
  static thread_local const auto bytes =
      std::make_unique<std::array<std::byte, messages::max_message_bytes>>();
  return *bytes;
}

}  // namespace orujo::delegates::detail
