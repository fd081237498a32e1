// How much may be under way between two cores, by the number of cores: a pure function decides.
#pragma once

#include <algorithm>
#include <cstdint>

#include "system/messages/block.hpp"

namespace orujo::messages {

// Blocks in flight from one core to another. All cores of the job together may send one of them about
// `bytes_per_core` before it has handled any; but two blocks each, so that one is filled while the other
// travels, and at most `most`.
constexpr std::uint32_t blocks_between(std::uint64_t cores, std::uint32_t most,
                                       std::uint64_t bytes_per_core) {
  const std::uint64_t share = bytes_per_core / block_bytes / std::max<std::uint64_t>(cores, 1);
  return static_cast<std::uint32_t>(std::clamp<std::uint64_t>(share, 2, std::max(most, 2u)));
}

}  // namespace orujo::messages
