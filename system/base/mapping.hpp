// The origin of mapped memory, for signal handlers.
#pragma once

#include <cstddef>

namespace orujo::internal::base {

// Returns whether an address lies in writable memory that processes share. If so, `path` gets the path of its
// file, cut to `bytes` bytes including the terminating 0. Allocates nothing.
bool is_shared_memory(const void* address, char* path, std::size_t bytes);

}  // namespace orujo::internal::base
