#include "system/memory/extent_allocator.hpp"

#include <glog/logging.h>

#include <bit>
#include <iterator>

namespace orujo::internal::memory {

extent_allocator::extent_allocator(std::uint64_t bytes) {
  if (bytes) add_free(0, bytes);
}

void extent_allocator::add_free(std::uint64_t offset, std::uint64_t bytes) {
  free_.emplace(offset, bytes);
  by_size_.emplace(bytes, offset);
  free_bytes_ += bytes;
}

void extent_allocator::remove_free(std::uint64_t offset, std::uint64_t bytes) {
  free_.erase(offset);
  by_size_.erase({bytes, offset});
  free_bytes_ -= bytes;
}

std::optional<std::uint64_t> extent_allocator::allocate(std::uint64_t bytes, std::uint64_t alignment) {
  CHECK_GT(bytes, 0u);
  CHECK(std::has_single_bit(alignment)) << alignment;
  for (auto fit = by_size_.lower_bound({bytes, 0}); fit != by_size_.end(); ++fit) {
    const auto [size, first] = *fit;
    const std::uint64_t skipped = -first & (alignment - 1);
    if (skipped > size - bytes) continue;
    remove_free(first, size);
    const std::uint64_t offset = first + skipped, rest = size - skipped - bytes;
    if (skipped) add_free(first, skipped);
    if (rest) add_free(offset + bytes, rest);
    taken_.emplace(offset, bytes);
    return offset;
  }
  return std::nullopt;
}

std::uint64_t extent_allocator::size_at(std::uint64_t offset) const {
  const auto at = taken_.find(offset);
  return at == taken_.end() ? 0 : at->second;
}

void extent_allocator::release(std::uint64_t offset) {
  const auto taken = taken_.find(offset);
  CHECK(taken != taken_.end()) << "nothing is allocated at offset " << offset;
  std::uint64_t first = offset, last = offset + taken->second;
  taken_.erase(taken);
  const auto after = free_.lower_bound(first);
  if (after != free_.begin()) {
    const auto [before_offset, before_size] = *std::prev(after);
    if (before_offset + before_size == first) {
      first = before_offset;
      remove_free(before_offset, before_size);
    }
  }
  if (const auto next = free_.find(last); next != free_.end()) {
    const auto [next_offset, next_size] = *next;
    last = next_offset + next_size;
    remove_free(next_offset, next_size);
  }
  add_free(first, last - first);
}

}  // namespace orujo::internal::memory
