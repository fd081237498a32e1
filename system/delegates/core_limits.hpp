// Limits of a core's operations under way, and the memory that these operations take.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <unordered_map>
#include <vector>

#include "system/base/identity.hpp"
#include "system/messages/block.hpp"
#include "system/tasks/sync.hpp"

namespace orujo::internal::delegates::detail {

// Handlers send the answers of gets and gathers, and cannot wait. So the tasks that ask for them wait, while
// the permits of their core are taken. The core makes the object at its first use.
struct core_limits {
  static constexpr base::core_part part = base::core_part::limits;
  // [task or handler] The calling core's.
  static core_limits& here() { return base::made_part<core_limits>(); }

  tasks::semaphore gets{256};       // pieces that come by message
  tasks::semaphore near_pieces{4};  // of this locale; the owner copies each at once, between other messages
  tasks::semaphore gathers{256};    // batches
  tasks::semaphore packed{16};      // values of tasks (packed.hpp)

  // Packed values that have not been fetched. The job may end before it is reported that they have.
  std::unordered_map<std::vector<std::byte>*, std::unique_ptr<std::vector<std::byte>>> packed_values;
  // A handler's answer to a gather, while it is put together.
  std::array<std::byte, messages::max_message_bytes> answer;
};

}  // namespace orujo::internal::delegates::detail
