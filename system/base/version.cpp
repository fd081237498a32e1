#include "system/base/version.hpp"

namespace orujo::internal::base {

const char* version() { return ORUJO_VERSION; }

}  // namespace orujo::internal::base
