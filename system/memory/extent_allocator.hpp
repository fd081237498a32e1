// Allocates extents of an index space. Touches no memory.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>

namespace orujo::internal::memory {

// Best fit with coalescing: the smallest free extent that suffices, and of several the one at the lowest
// offset. An operation takes logarithmic time in the number of free extents, except that large alignments may
// prolong the search.
class extent_allocator {
 public:
  explicit extent_allocator(std::uint64_t bytes);

  // Allocates `bytes` > 0 bytes at an offset that is a multiple of `alignment`, a power of two. Returns
  // nothing if no free extent suffices.
  std::optional<std::uint64_t> allocate(std::uint64_t bytes, std::uint64_t alignment);

  // The size of the extent allocated at this offset, or 0.
  std::uint64_t size_at(std::uint64_t offset) const;
  // Frees it; a CHECK fails if there is none.
  void release(std::uint64_t offset);

  std::uint64_t free_bytes() const { return free_bytes_; }
  std::uint64_t largest_free() const { return by_size_.empty() ? 0 : by_size_.rbegin()->first; }

 private:
  void add_free(std::uint64_t offset, std::uint64_t bytes);
  void remove_free(std::uint64_t offset, std::uint64_t bytes);

  std::map<std::uint64_t, std::uint64_t> free_;                // size by offset; no two are adjacent
  std::set<std::pair<std::uint64_t, std::uint64_t>> by_size_;  // the same extents as (size, offset)
  std::unordered_map<std::uint64_t, std::uint64_t> taken_;     // size by offset
  std::uint64_t free_bytes_ = 0;
};

}  // namespace orujo::internal::memory
