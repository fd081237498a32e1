// The parts of bulk operations that the transport carries between locales (messages/transfers.hpp).
#pragma once

#include <cstddef>

#include "system/delegates/spawn_at.hpp"
#include "system/memory/byte_range.hpp"

namespace orujo::internal::delegates::detail {

// A core's share of a range goes by transfers from this size on, and below it by messages.
inline constexpr std::size_t min_transfer_bytes = std::size_t{16} << 10;
// An owner copies pieces of at most this size for another core of its locale before it polls for messages.
inline constexpr std::size_t near_piece_bytes = std::size_t{64} << 10;

// Copies between a part of a strip, consecutive at `bytes`, and its positions in `memory`.
void scatter_piece(const memory::byte_range& range, const memory::strip& piece, const std::byte* bytes,
                   std::byte* memory);
void gather_piece(const memory::byte_range& range, const memory::strip& piece, const std::byte* memory,
                  std::byte* bytes);

// Number of bytes of a strip that one call of the following functions takes at most.
std::size_t transfer_step(const memory::byte_range& range, const memory::strip& whole);

// [task; suspends while too many transfers are under way] The piece is of another locale. It and `memory`,
// which holds the range in order, are the transport's until `missing` is complete. Costs a request, and for a
// put a message back; one transfer, or one per block where the blocks are large.
void get_by_transfer(tasks::join_counter& missing, const memory::byte_range& from, const memory::strip& piece,
                     std::byte* into);
void put_by_transfer(tasks::join_counter& missing, const memory::byte_range& to, const memory::strip& piece,
                     const std::byte* from);

}  // namespace orujo::internal::delegates::detail
