// Under the sanitizers, which take many times as long, less of what is random will do.
#pragma once

#include "system/base/sanitizers.hpp"

namespace orujo::internal {

#if defined(ORUJO_ADDRESS_SANITIZER) || defined(ORUJO_THREAD_SANITIZER)
inline constexpr bool sanitized = true;
#else
inline constexpr bool sanitized = false;
#endif

}  // namespace orujo::internal
