#include "framework/formats/checksum.hpp"

#include <xxhash.h>

namespace orujo::formats {

std::uint64_t checksum(std::span<const std::byte> bytes) { return XXH3_64bits(bytes.data(), bytes.size()); }

}  // namespace orujo::formats
