// S4-BP128: gaps bit-packed in blocks of 128 by four-lane registers, each block as wide as its widest gap.
// After Lemire, Boytsov, Kurz, "SIMD compression and the intersection of sorted integers", 2016. Gaps are
// differences of neighbours (their D1), less 1, as lists ascend strictly. The layout is
//
//   | first, 4 bytes | width of each block, 1 byte each | block | block | .. | last block |
//
// Blocks of 128 integers follow the first integer. The last one may have fewer, and is missing if none are
// left.
//
// A full block of width b has 16 b bytes. Gap 4 r + l has bits r b .. r b + b - 1 of lane l, and the 32-bit
// word w of lane l has the bytes from 16 w + 4 l on. In a shorter block, gap k has bits k b .. k b + b - 1 of
// the block's bytes, from the lowest on.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "system/base/status.hpp"

namespace orujo::internal::exchange::bp128 {

// All kernels produce the same bytes. `scalar` is the twin in plain loops; avx2 requires a processor that has
// it.
enum class kernel { scalar, sse2, avx2 };
// Chosen by --simd and the processor.
kernel best_kernel();

// These are described in codec.hpp.
std::size_t room(std::size_t count);
std::size_t encode(kernel with, std::span<const std::uint32_t> list, std::span<std::byte> into);
status decode(kernel with, std::span<const std::byte> bytes, std::span<std::uint32_t> into);

}  // namespace orujo::internal::exchange::bp128
