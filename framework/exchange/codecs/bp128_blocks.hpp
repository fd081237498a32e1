// Functions of bp128 and pfor on one full block, per kernel: 32 rows of four gaps.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "framework/exchange/codecs/bp128.hpp"

namespace orujo::internal::exchange::bp128 {

inline constexpr std::size_t block_size = 128;  // integers
inline constexpr int widest = 32;

// Counts that follow from the number of integers, which is at least one. The first integer is in no block.
struct block_counts {
  explicit block_counts(std::size_t count)
      : full((count - 1) / block_size), rest((count - 1) % block_size), blocks(full + (rest > 0 ? 1 : 0)) {}
  std::size_t full, rest, blocks;
};

// True if integers of a block whose gaps have `width` bits may have wrapped around.
constexpr bool may_wrap(std::uint32_t previous, unsigned width) {
  return previous + (std::uint64_t{block_size} << width) > ~std::uint32_t{0};
}

struct block_kernels {
  // Writes gaps[k] = in[k] - in[k - 1] - 1 for 128 integers, and returns all of them or-ed. Reads in[-1].
  std::uint32_t (*gaps)(const std::uint32_t* in, std::uint32_t* gaps);
  // By width: functions that pack 128 gaps into 16 * width bytes,
  std::array<void (*)(const std::uint32_t* gaps, std::byte* out), widest + 1> pack;
  // and functions that write the 128 integers that follow `previous`, modulo 2^32.
  std::array<void (*)(const std::byte* in, std::uint32_t* out, std::uint32_t previous), widest + 1> unpack;
};
const block_kernels& blocks_of(kernel with);

}  // namespace orujo::internal::exchange::bp128
