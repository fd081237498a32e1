#include "system/tasks/wait_name.hpp"

#include <algorithm>
#include <charconv>

namespace orujo::internal::tasks {

wait_name::wait_name(std::string_view what, const call_site& at) {
  std::string_view file = at.file_name();
  file.remove_prefix(file.rfind('/') + 1);  // npos + 1 is 0
  char* to = text_.data();
  char* const end = to + text_.size() - 1;
  const auto add = [&](std::string_view part) {
    to = std::copy_n(part.data(), std::min(part.size(), static_cast<std::size_t>(end - to)), to);
  };
  std::array<char, 10> digits;
  const char* const last = std::to_chars(digits.data(), digits.data() + digits.size(), at.line()).ptr;
  add(what);
  add(" at ");
  add(file);
  add(":");
  add({digits.data(), static_cast<std::size_t>(last - digits.data())});
  *to = '\0';
}

}  // namespace orujo::internal::tasks
