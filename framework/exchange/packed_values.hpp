// Integers of a few bits each, without gaps, from the lowest bit on.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

namespace orujo::internal::exchange {

constexpr std::size_t packed_bytes(std::size_t count, unsigned width) { return (count * width + 7) / 8; }

// Any thread. The width is 1 to 32. Values have no higher bits set.
inline void pack_values(std::span<const std::uint32_t> values, unsigned width, std::vector<std::byte>& into) {
  into.assign(packed_bytes(values.size(), width) + sizeof(std::uint64_t), std::byte{0});
  for (std::size_t k = 0; k < values.size(); ++k) {
    const std::size_t bit = k * width;
    std::uint64_t word;
    std::memcpy(&word, into.data() + bit / 8, sizeof word);
    word |= std::uint64_t{values[k]} << bit % 8;
    std::memcpy(into.data() + bit / 8, &word, sizeof word);
  }
  into.resize(packed_bytes(values.size(), width));
}

// Returns value k of those in `bytes`.
inline std::uint32_t packed_value(std::span<const std::byte> bytes, std::size_t k, unsigned width) {
  const std::size_t bit = k * width, left = bytes.size() - bit / 8;
  std::uint64_t word = 0;
  std::memcpy(&word, bytes.data() + bit / 8, left < sizeof word ? left : sizeof word);
  return static_cast<std::uint32_t>(word >> bit % 8 & ((std::uint64_t{1} << width) - 1));
}

}  // namespace orujo::internal::exchange
