#include "system/machine/process_state.hpp"

#include <algorithm>
#include <fstream>

namespace orujo::internal::machine {

std::string process_status(std::int32_t process, std::string_view key) {
  std::ifstream in("/proc/" + std::to_string(process) + "/status");
  for (std::string line; std::getline(in, line);) {
    if (line.size() > key.size() && line.starts_with(key) && line[key.size()] == ':')
      return line.substr(std::min(line.size(), key.size() + 2));  // a tab
  }
  return {};
}

}  // namespace orujo::internal::machine
