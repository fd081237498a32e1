#include "system/base/version.hpp"

namespace orujo {

const char* version() { return ORUJO_VERSION; }

}  // namespace orujo
