// Sizes of the processor's caches.
#pragma once

#include <cstddef>
#include <string>

namespace orujo::machine {

// Bytes of a second-level cache: what the C library knows, or else what the system says of CPU 0, or else
// 1 MiB. Whether cores share it is not looked at.
std::size_t second_level_cache_bytes();

namespace detail {
// Bytes of a size as the kernel writes it, "2048K"; 0 where it is none.
std::size_t parse_cache_size(const std::string& text);
}  // namespace detail

}  // namespace orujo::machine
