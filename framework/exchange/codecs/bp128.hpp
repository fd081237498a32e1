// S4-BP128: gaps bit-packed in blocks of 128 by four-lane registers, each block as wide as its widest gap.
// Lemire, Boytsov, Kurz, "SIMD compression and the intersection of sorted integers", 2016, with differences
// of neighbours (their D1), less 1, as lists ascend strictly.
//
//   | first, 4 bytes | width of each block, 1 byte each | block | block | .. | last block |
//
// After the first integer come blocks of 128; the last may have fewer, and is missing if there are none left.
//   full block of width b, 16 b bytes: gap 4 r + l has bits r b .. r b + b - 1 of lane l; lane l's 32-bit
//       word w lies at byte 16 w + 4 l
//   a block of fewer: gap k has bits k b .. k b + b - 1 of the block's bytes, from the lowest on
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "system/base/status.hpp"

namespace orujo::exchange::bp128 {

// The same bytes from each. scalar is the twin in plain loops; avx2 is for processors that have it.
enum class kernel { scalar, sse2, avx2 };
// By --simd and the processor.
kernel best_kernel();

// As in codec.hpp.
std::size_t room(std::size_t count);
std::size_t encode(kernel with, std::span<const std::uint32_t> list, std::span<std::byte> into);
status decode(kernel with, std::span<const std::byte> bytes, std::span<std::uint32_t> into);

}  // namespace orujo::exchange::bp128
