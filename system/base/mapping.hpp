// What memory is mapped from, as a signal handler may ask.
#pragma once

#include <cstddef>

namespace orujo::base {

// Whether an address lies in memory that processes share and may write to, and the path of its file then, cut
// to so many bytes with the 0 behind it. Allocates nothing.
bool is_shared_memory(const void* address, char* path, std::size_t bytes);

}  // namespace orujo::base
