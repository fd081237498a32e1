// Patched frame of reference: blocks as bp128 has them, but as wide as most gaps need. Those of more bits are
// exceptions, whose upper bits follow their block. Zukowski, Heman, Nes, Boncz, "Super-Scalar RAM-CPU Cache
// Compression", ICDE 2006; each block's width is the one that makes it shortest, as in Yan, Ding, Suel,
// "Inverted Index Compression and Query Processing with Optimized Document Ordering", WWW 2009 (OptPFD).
//
//   | first, 4 bytes | head of each block, 1 byte | block | block | .. | last block |
//   head   bits 0 .. 5 the width b; bit 7 whether there are exceptions
//   block  the lowest b bits of all gaps, as bp128.hpp draws them for width b; then, of exceptions,
//          | how many, 1 byte | bits of an upper part, 1 byte | places, 7 bits each | upper parts |
//          both as a bit string (bit_string.hpp)
#pragma once

#include "framework/exchange/codecs/bp128.hpp"

namespace orujo::exchange::pfor {

// As in bp128.hpp.
using bp128::best_kernel;
using bp128::kernel;

// As in codec.hpp. No more bytes than bp128 has.
std::size_t room(std::size_t count);
std::size_t encode(kernel with, std::span<const std::uint32_t> list, std::span<std::byte> into);
status decode(kernel with, std::span<const std::byte> bytes, std::span<std::uint32_t> into);

// How many bits fewer than bp128 some of a list's blocks take: every eighth, of which the first is half full
// at least.
struct sample {
  std::size_t integers = 0, bits_saved = 0;
};
sample compare(kernel with, std::span<const std::uint32_t> list);

}  // namespace orujo::exchange::pfor
