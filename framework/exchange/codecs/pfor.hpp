// Patched frame of reference: blocks as in bp128, but only as wide as most gaps need. Wider gaps are
// exceptions, whose upper bits follow their block. After Zukowski, Heman, Nes, Boncz, "Super-Scalar RAM-CPU
// Cache Compression", ICDE 2006. Each block has the width that makes it shortest, as in Yan, Ding, Suel,
// "Inverted Index Compression and Query Processing with Optimized Document Ordering", WWW 2009 (OptPFD). The
// layout is
//
//   | first, 4 bytes | head of each block, 1 byte | block | block | .. | last block |
//   The head has the width b in bits 0 .. 5. Bit 7 is set if there are exceptions.
//   The block has the lowest b bits of all gaps, laid out as in bp128.hpp. Exceptions follow it:
//     | how many, 1 byte | bits of an upper part, 1 byte | positions, 7 bits each | upper parts |
//   Positions and upper parts are bit strings (bit_string.hpp).
#pragma once

#include "framework/exchange/codecs/bp128.hpp"

namespace orujo::internal::exchange::pfor {

// These are those of bp128.hpp.
using bp128::best_kernel;
using bp128::kernel;

// These are described in codec.hpp. They need no more bytes than bp128.
std::size_t room(std::size_t count);
std::size_t encode(kernel with, std::span<const std::uint32_t> list, std::span<std::byte> into);
status decode(kernel with, std::span<const std::byte> bytes, std::span<std::uint32_t> into);

// The number of bits that pfor saves over bp128 in a sample of a list's blocks. The sample is every eighth
// block that is at least half full.
struct sample {
  std::size_t integers = 0, bits_saved = 0;
};
sample compare(kernel with, std::span<const std::uint32_t> list);

}  // namespace orujo::internal::exchange::pfor
