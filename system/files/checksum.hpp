// The checksum of our own files: XXH3 of 64 bits, without a seed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace orujo::internal::files {

// Any thread.
std::uint64_t checksum(std::span<const std::byte> bytes);

}  // namespace orujo::internal::files
