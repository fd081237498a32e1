// All of a file in memory, for oracles.
#pragma once

#include <string>

#include "system/base/status.hpp"

namespace orujo::internal::verify {

// Any thread. Decompressed, and without a byte-order mark.
result<std::string> content_of(const std::string& path);

}  // namespace orujo::internal::verify
