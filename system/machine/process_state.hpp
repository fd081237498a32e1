// What the system says of a process of this node.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace orujo::machine {

// What stands behind "KEY:" in /proc/PROCESS/status, such as "T (stopped)" of State; empty where there is no
// such process.
std::string process_status(std::int32_t process, std::string_view key);

}  // namespace orujo::machine
