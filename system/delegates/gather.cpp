#include "system/delegates/gather.hpp"

#include <array>

namespace orujo::delegates::detail {

// Answers are sent by handlers, which do not wait: so those who ask do.
tasks::semaphore& gathers_under_way() {
  static thread_local tasks::semaphore permits(256);
  return permits;
}

std::span<std::byte> bytes_of_an_answer() {
  static thread_local std::array<std::byte, messages::max_message_bytes> bytes;
  return bytes;
}

}  // namespace orujo::delegates::detail
