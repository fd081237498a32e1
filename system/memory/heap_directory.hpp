// The directory of the global heap's allocations. It holds offsets and indices, no memory, and sends no
// messages.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>

#include "system/memory/extent_allocator.hpp"

namespace orujo::internal::memory {

// An allocation takes the same range of offsets, a multiple of its blocks, at every core. Its share of a core
// is therefore one extent, and blocks of any size can live side by side. Allocations of fewer blocks than
// there are cores begin at one core after the other.
class heap_directory {
 public:
  heap_directory(std::uint64_t bytes_per_core, int cores)
      : cores_(static_cast<std::uint64_t>(cores)), extents_(bytes_per_core) {}

  // The index of the first of `bytes` bytes in blocks of 2^log_block; nothing if they do not fit.
  std::optional<std::uint64_t> allocate(std::uint64_t bytes, std::uint32_t log_block);

  // An allocation's share of each core.
  struct extent {
    std::uint64_t offset = 0, bytes = 0;
  };
  // Ends the allocation with this index and block size; returns nothing if there is none. Its extent stays
  // taken until reuse() frees it.
  std::optional<extent> retire(std::uint64_t index, std::uint32_t log_block);
  void reuse(extent e) { extents_.release(e.offset); }

  // Bytes over all cores; largest_free_bytes() is the size available for blocks of one byte.
  std::uint64_t free_bytes() const { return extents_.free_bytes() * cores_; }
  std::uint64_t largest_free_bytes() const { return extents_.largest_free() * cores_; }
  std::uint64_t allocations() const { return live_.size(); }

 private:
  struct allocation {
    std::uint64_t offset;
    std::uint32_t log_block;
  };
  std::uint64_t cores_;
  std::uint64_t next_core_ = 0;  // where the next small allocation begins
  extent_allocator extents_;
  std::unordered_map<std::uint64_t, allocation> live_;  // by index
};

}  // namespace orujo::internal::memory
