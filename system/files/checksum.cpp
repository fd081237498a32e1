#include "system/files/checksum.hpp"

#include <xxhash.h>

namespace orujo::internal::files {

std::uint64_t checksum(std::span<const std::byte> bytes) { return XXH3_64bits(bytes.data(), bytes.size()); }

}  // namespace orujo::internal::files
