// Uninitialised memory that begins with a cache line.
#pragma once

#include <cstddef>
#include <memory>
#include <new>

namespace orujo::internal::base {

inline constexpr std::size_t cache_line_bytes = 64;

struct delete_aligned {
  void operator()(std::byte* memory) const {
    ::operator delete[](memory, std::align_val_t{cache_line_bytes});
  }
};
using aligned_bytes = std::unique_ptr<std::byte[], delete_aligned>;

inline aligned_bytes make_aligned_bytes(std::size_t bytes) {
  return aligned_bytes(static_cast<std::byte*>(::operator new[](bytes, std::align_val_t{cache_line_bytes})));
}

}  // namespace orujo::internal::base
