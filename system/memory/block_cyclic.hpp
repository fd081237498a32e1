// The block-cyclic layout of a linear index: the core that holds each byte, and its offset there. Pure
// arithmetic.
#pragma once

#include <algorithm>
#include <cstdint>

#include "system/base/divisor.hpp"
#include "system/base/shape.hpp"

namespace orujo::internal::memory {

// Blocks of 2^log_block bytes are dealt to the cores in turn. A core keeps its blocks one after the other.
//
//   index    | block 0 | block 1 | block 2 | block 3 | block 4 | ...       3 cores
//   core 0   | block 0 | block 3 | ...          core 1   | block 1 | block 4 | ...
//
// A core's share of any range of indices is therefore one range of offsets.
struct block_cyclic {
  std::uint32_t log_block = 0;
  base::divisor cores{1};

  std::uint64_t block_bytes() const { return std::uint64_t{1} << log_block; }
  struct place {
    core_id core;
    std::uint64_t offset;  // in the core's part
  };
  place place_of(std::uint64_t index) const {
    const std::uint64_t block = index >> log_block;
    const base::divisor::division dealt = cores.divide(block);
    return {static_cast<core_id>(dealt.remainder), index - ((block - dealt.quotient) << log_block)};
  }
  core_id core_of(std::uint64_t index) const { return place_of(index).core; }
  std::uint64_t index_of(core_id core, std::uint64_t offset) const {
    return ((offset >> log_block) * cores.value() + static_cast<std::uint64_t>(core)) << log_block |
           within_block(offset);
  }
  // Number of bytes before `index` that the core holds, which is the offset of its first byte from there on.
  std::uint64_t held_before(core_id core, std::uint64_t index) const {
    const place at = place_of(index);
    if (core == at.core) return at.offset;
    const std::uint64_t row = at.offset - within_block(index);
    return core > at.core ? row : row + block_bytes();
  }
  std::uint64_t within_block(std::uint64_t index) const { return index & (block_bytes() - 1); }

  bool operator==(const block_cyclic&) const = default;
};

}  // namespace orujo::internal::memory
