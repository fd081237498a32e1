#include "system/base/checksum.hpp"

#include <xxhash.h>

namespace orujo::base {

std::uint64_t checksum(std::span<const std::byte> bytes) { return XXH3_64bits(bytes.data(), bytes.size()); }

}  // namespace orujo::base
