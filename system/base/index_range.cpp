#include "system/base/index_range.hpp"

#include <fmt/format.h>

#include "system/base/check.hpp"

namespace orujo::internal::base {

void refuse_range(const index_range& range, const call_site& at) {
  misuse(
      fmt::format("the range of a loop ends before it begins, {{{}, {}}}: a range without iterations has two "
                  "equal ends",
                  range.first, range.last),
      at);
}

}  // namespace orujo::internal::base
