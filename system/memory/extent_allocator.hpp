// Deals out extents of an index space. Knows nothing of memory.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>

namespace orujo::memory {

// Best fit with coalescing: the smallest free extent that will do, the one at the lowest offset of several. A
// logarithm of the number of free extents per operation, except where large alignments make the search go on.
class extent_allocator {
 public:
  explicit extent_allocator(std::uint64_t bytes);

  // The offset of `bytes` > 0 bytes, a multiple of `alignment`, which is a power of two; nothing where no
  // free extent will do.
  std::optional<std::uint64_t> allocate(std::uint64_t bytes, std::uint64_t alignment);

  // The size of the extent allocated at this offset; 0 where none is.
  std::uint64_t size_at(std::uint64_t offset) const;
  // Frees it; a CHECK fails where there is none.
  void release(std::uint64_t offset);

  std::uint64_t free_bytes() const { return free_bytes_; }
  std::uint64_t largest_free() const { return by_size_.empty() ? 0 : by_size_.rbegin()->first; }

 private:
  void add_free(std::uint64_t offset, std::uint64_t bytes);
  void remove_free(std::uint64_t offset, std::uint64_t bytes);

  std::map<std::uint64_t, std::uint64_t> free_;                // size by offset; no two are adjacent
  std::set<std::pair<std::uint64_t, std::uint64_t>> by_size_;  // the same: (size, offset)
  std::unordered_map<std::uint64_t, std::uint64_t> taken_;     // size by offset
  std::uint64_t free_bytes_ = 0;
};

}  // namespace orujo::memory
