// The block-cyclic layout: which core holds which byte of a linear index, and where. Pure arithmetic.
#pragma once

#include <algorithm>
#include <cstdint>

#include "system/base/shape.hpp"

namespace orujo::memory {

// Blocks of 2^log_block bytes are dealt to the cores in turn; a core keeps its blocks one after the other:
//
//   index    | block 0 | block 1 | block 2 | block 3 | block 4 | ...       3 cores
//   core 0   | block 0 | block 3 | ...          core 1   | block 1 | block 4 | ...
//
// So what a core holds of any range of indices is one range of offsets.
struct block_cyclic {
  std::uint32_t log_block = 0;
  std::uint32_t cores = 1;

  std::uint64_t block_bytes() const { return std::uint64_t{1} << log_block; }
  core_id core_of(std::uint64_t index) const { return static_cast<core_id>((index >> log_block) % cores); }
  // Where the byte lies in its core's part.
  std::uint64_t offset_of(std::uint64_t index) const {
    return (index >> log_block) / cores << log_block | within_block(index);
  }
  std::uint64_t index_of(core_id core, std::uint64_t offset) const {
    return ((offset >> log_block) * cores + static_cast<std::uint64_t>(core)) << log_block |
           within_block(offset);
  }
  // How many of the bytes before `index` the core holds: the first offset of what it holds from there on.
  std::uint64_t held_before(core_id core, std::uint64_t index) const {
    const core_id at = core_of(index);
    const std::uint64_t row = (index >> log_block) / cores << log_block;
    if (core == at) return row | within_block(index);
    return core > at ? row : row + block_bytes();
  }
  std::uint64_t within_block(std::uint64_t index) const { return index & (block_bytes() - 1); }

  bool operator==(const block_cyclic&) const = default;
};

}  // namespace orujo::memory
