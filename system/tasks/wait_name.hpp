// The name of a task's wait, composed when the wait begins.
#pragma once

#include <array>
#include <string_view>

#include "system/base/call_site.hpp"

namespace orujo::internal::tasks {

// "WHAT at FILE:LINE", with the file's name without folders, cut if it is long. It lies on the stack of the
// waiting task, where reports and debuggers read it, until the wait ends. Costs some 20 ns.
class wait_name {
 public:
  wait_name(std::string_view what, const call_site& at);
  const char* text() const { return text_.data(); }

 private:
  std::array<char, 160> text_;
};

}  // namespace orujo::internal::tasks
