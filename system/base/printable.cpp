#include "system/base/printable.hpp"

namespace orujo::internal::base {

std::string printable(std::string_view text) {
  std::string shown;
  each_printable(text, [&shown](std::string_view piece) { shown += piece; });
  return shown;
}

}  // namespace orujo::internal::base
