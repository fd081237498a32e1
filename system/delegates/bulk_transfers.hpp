// The parts of bulk operations that the transport carries between locales by itself; see
// messages/transfers.hpp.
#pragma once

#include <cstddef>

#include "system/delegates/delegate.hpp"
#include "system/memory/byte_range.hpp"

namespace orujo::delegates::detail {

// What a core holds of a range goes by transfers from so many bytes on, else by messages.
inline constexpr std::size_t min_transfer_bytes = std::size_t{16} << 10;
// What an owner copies for another core of its locale without looking at its messages.
inline constexpr std::size_t near_piece_bytes = std::size_t{64} << 10;

// Between a part of a strip, consecutive at `bytes`, and the positions in `memory` where it belongs.
void scatter_piece(const memory::byte_range& range, const memory::strip& piece, const std::byte* bytes,
                   std::byte* memory);
void gather_piece(const memory::byte_range& range, const memory::strip& piece, const std::byte* memory,
                  std::byte* bytes);

// How many bytes of a strip one call of the following takes at most.
std::size_t transfer_step(const memory::byte_range& range, const memory::strip& whole);

// [task; suspends while too many transfers are under way] The piece is of another locale. It and `memory`,
// which holds the range in order, are the transport's until `missing` is complete. Costs a request, and for a
// put a message back; one transfer, or one per block where the blocks are large.
void get_by_transfer(tasks::join_counter& missing, const memory::byte_range& from, const memory::strip& piece,
                     std::byte* into);
void put_by_transfer(tasks::join_counter& missing, const memory::byte_range& to, const memory::strip& piece,
                     const std::byte* from);

}  // namespace orujo::delegates::detail
