#include "system/delegates/gather.hpp"

#include <array>
#include <memory>

namespace orujo::delegates::detail {

// Answers are sent by handlers, which do not wait: so those who ask do.
tasks::semaphore& gathers_under_way() {
  static thread_local tasks::semaphore permits(256);
  return permits;
}

// Not among the thread's variables themselves: an interpreter has little place for those of its modules.
std::span<std::byte> bytes_of_an_answer() {
  static thread_local const auto bytes =
      std::make_unique<std::array<std::byte, messages::max_message_bytes>>();
  return *bytes;
}

}  // namespace orujo::delegates::detail
