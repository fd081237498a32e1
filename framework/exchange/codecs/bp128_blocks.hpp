// What bp128 and pfor do with one full block, per kernel: 32 rows of four gaps.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "framework/exchange/codecs/bp128.hpp"

namespace orujo::exchange::bp128 {

inline constexpr std::size_t block_size = 128;  // integers
inline constexpr int widest = 32;

// What follows from the number of integers, of which there is at least one: the first stands apart.
struct block_counts {
  explicit block_counts(std::size_t count)
      : full((count - 1) / block_size), rest((count - 1) % block_size), blocks(full + (rest > 0 ? 1 : 0)) {}
  std::size_t full, rest, blocks;
};

// Whether integers of a block whose gaps have so many bits may have wrapped around.
constexpr bool may_wrap(std::uint32_t previous, unsigned width) {
  return previous + (std::uint64_t{block_size} << width) > ~std::uint32_t{0};
}

struct block_kernels {
  // gaps[k] = in[k] - in[k - 1] - 1 for 128 integers; returns all of them or-ed. Reads in[-1].
  std::uint32_t (*gaps)(const std::uint32_t* in, std::uint32_t* gaps);
  // By width: packs 128 gaps into 16 * width bytes,
  std::array<void (*)(const std::uint32_t* gaps, std::byte* out), widest + 1> pack;
  // and writes the 128 integers that follow `previous`, modulo 2^32.
  std::array<void (*)(const std::byte* in, std::uint32_t* out, std::uint32_t previous), widest + 1> unpack;
};
const block_kernels& blocks_of(kernel with);

}  // namespace orujo::exchange::bp128
