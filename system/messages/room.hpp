// The limit of bytes under way between two cores, by the number of cores and the delay, as pure functions.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>

#include "system/messages/block.hpp"

namespace orujo::internal::messages {

// Blocks in flight from one core to another, at most `most`. All cores of the job together may send a core
// about `bytes_per_core` before it handles any. But each may send two blocks, so that one is filled while the
// other travels.
constexpr std::uint32_t blocks_between(std::uint64_t cores, std::uint32_t most,
                                       std::uint64_t bytes_per_core) {
  const std::uint64_t share = bytes_per_core / block_bytes / std::max<std::uint64_t>(cores, 1);
  return static_cast<std::uint32_t>(std::clamp<std::uint64_t>(share, 2, std::max(most, 2u)));
}

// Bytes under way on a link of 10 Gbit/s during a round trip.
constexpr std::uint64_t bytes_of_round_trip(std::chrono::nanoseconds round_trip) {
  return static_cast<std::uint64_t>(round_trip.count()) * 5 / 4;
}

// Raises `pieces`, the number of blocks or parcels that may be under way, until such a link is full. The
// pieces take at most `most_bytes`, but `pieces` is never lowered. The number follows the delay of the link
// and not the acknowledgements, because a slow receiver would look like a distant one. It is the same for all
// pairs of the job, because both ends must agree on when an acknowledgement is due.
template <class Count>
constexpr void widen(Count& pieces, std::chrono::nanoseconds round_trip, std::uint64_t piece_bytes,
                     std::uint64_t most_bytes) {
  const std::uint64_t wanted = (bytes_of_round_trip(round_trip) + piece_bytes - 1) / piece_bytes;
  pieces = std::max(pieces, static_cast<Count>(std::min(wanted, most_bytes / piece_bytes)));
}

}  // namespace orujo::internal::messages
