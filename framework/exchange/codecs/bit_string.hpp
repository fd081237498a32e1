// Integers of equal width, without gaps: integer k has bits k w .. k w + w - 1 of the bytes, from the lowest
// on.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace orujo::internal::exchange {

constexpr std::size_t bit_string_bytes(std::size_t count, unsigned width) { return (count * width + 7) / 8; }
// Bytes beyond these that write_bits() may write to.
inline constexpr std::size_t bit_string_margin = sizeof(std::uint64_t);

// `width` is at most 32, and wide enough for each value(k). Returns the end.
template <class Value>
std::byte* write_bits(std::size_t count, unsigned width, Value value, std::byte* out) {
  std::uint64_t waiting = 0;
  unsigned have = 0;
  std::byte* to = out;
  for (std::size_t k = 0; k < count; ++k) {
    waiting |= std::uint64_t{value(k)} << have;
    have += width;
    if (have < 32) continue;
    std::memcpy(to, &waiting, 4);
    to += 4;
    waiting >>= 32;
    have -= 32;
  }
  std::memcpy(to, &waiting, sizeof waiting);
  return out + bit_string_bytes(count, width);
}

// Calls take(k, value) in order. Reads no bytes outside of `in`; missing bytes read as zeros.
template <class Take>
void read_bits(std::span<const std::byte> in, std::size_t count, unsigned width, Take take) {
  const std::uint64_t mask = (std::uint64_t{1} << width) - 1;
  // This number of integers start at least a word before the end.
  std::size_t inside = 0;
  if (width > 0 && in.size() >= sizeof(std::uint64_t))
    inside = std::min(count, (in.size() - sizeof(std::uint64_t)) * 8 / width + 1);
  std::uint64_t bits;
  for (std::size_t k = 0, bit = 0; k < inside; ++k, bit += width) {
    std::memcpy(&bits, in.data() + bit / 8, sizeof bits);
    take(k, static_cast<std::uint32_t>(bits >> bit % 8 & mask));
  }
  for (std::size_t k = inside; k < count; ++k) {
    const std::size_t bit = k * width;
    const auto from = in.subspan(bit / 8);
    bits = 0;
    if (!from.empty()) std::memcpy(&bits, from.data(), std::min(from.size(), sizeof bits));
    take(k, static_cast<std::uint32_t>(bits >> bit % 8 & mask));
  }
}

}  // namespace orujo::internal::exchange
