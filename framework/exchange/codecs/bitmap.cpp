// One bit for each integer from the first to the last: short and fast for dense lists. The layout is
//
//   | first, 4 bytes | bits up to the last integer's, which is set |
//
// If bit k % 8 of byte k / 8 is set, first + k is in the list.
#include <algorithm>
#include <bit>
#include <cstring>

#include "framework/exchange/codecs/codec.hpp"
#include "system/machine/isa.hpp"

namespace orujo::internal::exchange::bitmap {
namespace {

using word = std::uint64_t;
constexpr std::size_t word_bits = 64;
constexpr std::size_t head = sizeof(std::uint32_t);

std::size_t room(std::size_t count) { return count * sizeof(std::uint32_t); }

// First sets a byte for each bit of a window, so that no store waits for earlier ones. Then a multiplication
// turns eight bytes into eight bits: it adds byte j shifted to bit j of the highest byte.
void set_bits(std::span<const std::uint32_t> list, std::span<std::byte> to) {
  constexpr std::uint32_t window = 1024;
  constexpr word gather = 0x0102040810204080u;
  std::uint8_t set[window] = {};
  std::size_t k = 0;
  for (std::size_t at = 0; at < to.size(); at += window / 8) {
    const std::uint32_t base = list.front() + static_cast<std::uint32_t>(at * 8);
    for (; k < list.size() && list[k] - base < window; ++k) set[list[k] - base] = 1;
    const std::size_t bytes = std::min<std::size_t>(window / 8, to.size() - at);
    for (std::size_t b = 0; b < bytes; ++b) {
      word eight;
      std::memcpy(&eight, set + 8 * b, sizeof eight);
      to[at + b] = static_cast<std::byte>(eight * gather >> 56);
    }
    std::memset(set, 0, sizeof set);
  }
}

// The word at the start of `bytes`, of which there may be fewer than eight.
[[gnu::always_inline]] inline word load(std::span<const std::byte> bytes) {
  word bits = 0;
  if (bytes.size() >= sizeof bits) {
    std::memcpy(&bits, bytes.data(), sizeof bits);
  } else {
    for (std::size_t k = 0; k < bytes.size(); ++k) bits |= std::to_integer<word>(bytes[k]) << 8 * k;
  }
  return bits;
}

[[gnu::always_inline]] inline std::size_t count_bits(std::span<const std::byte> bytes) {
  std::size_t set = 0;
  for (std::size_t at = 0; at < bytes.size(); at += sizeof(word))
    set += static_cast<std::size_t>(std::popcount(load(bytes.subspan(at))));
  return set;
}

// Fills `into` with first + k for every set bit k, of which there are into.size(). Eight are written at a
// time if there is room, for fewer mispredictions than with one.
[[gnu::always_inline]] inline void list_bits(std::span<const std::byte> bytes, std::uint32_t base,
                                             std::span<std::uint32_t> into) {
  std::uint32_t* to = into.data();
  const std::uint32_t* const end = to + into.size();
  for (std::size_t at = 0; at < bytes.size(); at += sizeof(word), base += word_bits) {
    word bits = load(bytes.subspan(at));
    std::uint32_t* const after = to + std::popcount(bits);
    while (bits != 0) {
      const int batch = end - to >= 8 ? 8 : 1;
      for (int k = 0; k < batch; ++k) {
        *to++ = base + static_cast<std::uint32_t>(std::countr_zero(bits));
        bits &= bits - 1;
      }
    }
    to = after;
  }
}

std::size_t encode(std::span<const std::uint32_t> list, std::span<std::byte> into) {
  if (list.empty()) return 0;
  const std::size_t bits = (std::size_t{list.back()} - list.front()) / 8 + 1;
  if (head + bits > list.size_bytes()) return does_not_pay;
  std::memcpy(into.data(), list.data(), head);
  set_bits(list, into.subspan(head, bits));
  return head + bits;
}

status decode(std::span<const std::byte> bytes, std::span<std::uint32_t> into) {
  if (into.empty()) return bytes.empty() ? status() : corrupt("bitmap", "bytes for no integers");
  if (bytes.size() <= head) return corrupt("bitmap", "shorter than its head");
  std::uint32_t first;
  std::memcpy(&first, bytes.data(), head);
  const auto bits = bytes.subspan(head);
  if (bits.back() == std::byte{0}) return corrupt("bitmap", "bytes after the last integer");
  const machine::instruction_set set = machine::simd_from_flags();
  if (machine::compiled_for(set, [&] { return count_bits(bits); }) != into.size())
    return corrupt("bitmap", "not as many bits set as there are integers");
  const std::uint64_t end = first + std::uint64_t{bits.size() - 1} * 8 +
                            std::uint64_t(std::bit_width(std::to_integer<unsigned>(bits.back())));
  if (end > std::uint64_t{1} << 32) return corrupt("bitmap", "reaches beyond 32 bits");
  machine::compiled_for(set, [&] { list_bits(bits, first, into); });
  return {};
}

}  // namespace
}  // namespace orujo::internal::exchange::bitmap

namespace orujo::internal::exchange::detail {
extern const codec bitmap_codec{"bitmap", bitmap::room, bitmap::encode, bitmap::decode};
}
