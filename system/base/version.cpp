#include "system/base/version.hpp"

namespace orujo::base {

const char* version() { return ORUJO_VERSION; }

}  // namespace orujo::base
