// The version of Orujo that a program is linked with.
#pragma once

namespace orujo::internal::base {

// "0.1.0"
const char* version();

}  // namespace orujo::internal::base
