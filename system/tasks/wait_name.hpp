// What a task waits for, in words that are put together when it begins to wait.
#pragma once

#include <array>
#include <string_view>

#include "system/base/call_site.hpp"

namespace orujo::tasks {

// "WHAT at FILE:LINE", the file without its folders; cut where it is long. Lies where the task waits, and
// stays until it goes on: reports and debuggers read it meanwhile. Costs some 20 ns.
class wait_name {
 public:
  wait_name(std::string_view what, const call_site& at);
  const char* text() const { return text_.data(); }

 private:
  std::array<char, 160> text_;
};

}  // namespace orujo::tasks
