#include "system/memory/heap_directory.hpp"

#include <glog/logging.h>

#include <algorithm>

namespace orujo::internal::memory {

std::optional<std::uint64_t> heap_directory::allocate(std::uint64_t bytes, std::uint32_t log_block) {
  CHECK_LT(log_block, 58u);
  const std::uint64_t block = std::uint64_t{1} << log_block;
  const std::uint64_t blocks = std::max<std::uint64_t>(1, bytes / block + (bytes % block ? 1 : 0));
  if (blocks < cores_ && next_core_ + blocks > cores_) next_core_ = 0;
  const std::uint64_t first_core = blocks < cores_ ? next_core_ : 0;
  const std::uint64_t rows = blocks / cores_ + (blocks % cores_ ? 1 : 0);
  if (rows > extents_.largest_free() / block) return std::nullopt;  // so rows * block does not overflow
  const std::optional<std::uint64_t> offset = extents_.allocate(rows * block, block);
  if (!offset) return std::nullopt;
  if (blocks < cores_) next_core_ = first_core + blocks;
  const std::uint64_t index = *offset * cores_ + first_core * block;
  live_.emplace(index, allocation{*offset, log_block});
  return index;
}

std::optional<heap_directory::extent> heap_directory::retire(std::uint64_t index, std::uint32_t log_block) {
  const auto at = live_.find(index);
  if (at == live_.end() || at->second.log_block != log_block) return std::nullopt;
  const extent e{at->second.offset, extents_.size_at(at->second.offset)};
  live_.erase(at);
  return e;
}

}  // namespace orujo::internal::memory
