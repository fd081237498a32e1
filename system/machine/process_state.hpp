// The system's state of a process of this node.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace orujo::internal::machine {

// The text after "KEY:" in /proc/PROCESS/status, such as "T (stopped)" for State. Empty if there is no such
// process.
std::string process_status(std::int32_t process, std::string_view key);

}  // namespace orujo::internal::machine
