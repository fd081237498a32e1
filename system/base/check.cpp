#include "system/base/check.hpp"

#include <glog/logging.h>

namespace orujo::detail {

void check_failed(const char* claim, const call_site& at) {
  google::LogMessageFatal(at.file_name(), static_cast<int>(at.line())).stream() << "Check failed: " << claim;
  __builtin_unreachable();
}

}  // namespace orujo::detail
