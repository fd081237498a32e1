#include "framework/exchange/codecs/bp128.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#include "framework/exchange/codecs/bit_string.hpp"
#include "framework/exchange/codecs/bp128_blocks.hpp"
#include "framework/exchange/codecs/codec.hpp"
#include "system/machine/isa.hpp"

namespace orujo::internal::exchange::bp128 {
namespace {

constexpr std::size_t head = sizeof(std::uint32_t);

// Encodes fewer than 128 integers that follow in[-1]; returns the number of bytes.
std::size_t encode_rest(std::span<const std::uint32_t> in, std::byte& width, std::byte* out) {
  const std::uint32_t* const before = in.data() - 1;
  std::uint32_t all = 0;
  for (std::size_t k = 0; k < in.size(); ++k) all |= in[k] - before[k] - 1;
  const auto bits = static_cast<unsigned>(std::bit_width(all));
  write_bits(
      in.size(), bits, [&](std::size_t k) { return in[k] - before[k] - 1; }, out);
  width = static_cast<std::byte>(bits);
  return bit_string_bytes(in.size(), bits);
}

void decode_rest(std::span<const std::byte> in, unsigned width, std::span<std::uint32_t> out,
                 std::uint32_t previous) {
  read_bits(in, out.size(), width, [&](std::size_t k, std::uint32_t gap) { out[k] = previous += gap + 1; });
}

// Returns an empty string if the widths match the size of the whole.
std::string_view fault(std::span<const std::byte> bytes, const block_counts& l) {
  if (bytes.size() < head + l.blocks) return "shorter than its head";
  std::size_t expected = head + l.blocks;
  for (std::size_t b = 0; b < l.blocks; ++b) {
    const auto width = std::to_integer<unsigned>(bytes[head + b]);
    if (width > widest) return "a block wider than 32 bits";
    expected += b < l.full ? block_size / 8 * width : bit_string_bytes(l.rest, width);
  }
  return bytes.size() == expected ? "" : "its size does not follow from its widths";
}

}  // namespace

kernel best_kernel() {
  return machine::simd_from_flags() == machine::instruction_set::scalar ? kernel::sse2 : kernel::avx2;
}

std::size_t room(std::size_t count) {
  if (count == 0) return 0;
  const block_counts l(count);
  return head + l.blocks + count * sizeof(std::uint32_t) + bit_string_margin;
}

std::size_t encode(kernel with, std::span<const std::uint32_t> list, std::span<std::byte> into) {
  if (list.empty()) return 0;
  const block_kernels& kernels = blocks_of(with);
  const block_counts l(list.size());
  std::memcpy(into.data(), list.data(), head);
  std::byte* width = into.data() + head;
  std::byte* to = width + l.blocks;
  const std::uint32_t* in = list.data() + 1;
  alignas(64) std::uint32_t gaps[block_size];
  for (std::size_t b = 0; b < l.full; ++b, in += block_size) {
    const auto bits = static_cast<std::size_t>(std::bit_width(kernels.gaps(in, gaps)));
    *width++ = static_cast<std::byte>(bits);
    kernels.pack[bits](gaps, to);
    to += block_size / 8 * bits;
  }
  if (l.rest > 0) to += encode_rest({in, l.rest}, *width, to);
  return static_cast<std::size_t>(to - into.data());
}

status decode(kernel with, std::span<const std::byte> bytes, std::span<std::uint32_t> into) {
  if (into.empty()) return bytes.empty() ? status() : corrupt("bp128", "bytes for no integers");
  const block_counts l(into.size());
  if (const std::string_view wrong = fault(bytes, l); !wrong.empty()) return corrupt("bp128", wrong);
  const block_kernels& kernels = blocks_of(with);
  std::uint32_t previous;
  std::memcpy(&previous, bytes.data(), head);
  into[0] = previous;
  const std::byte* width = bytes.data() + head;
  const std::byte* from = width + l.blocks;
  std::uint32_t* out = into.data() + 1;
  bool right = true;
  for (std::size_t b = 0; b < l.blocks; ++b) {
    const auto bits = std::to_integer<unsigned>(width[b]);
    const std::size_t size = b < l.full ? block_size : l.rest;
    if (b < l.full) {
      kernels.unpack[bits](from, out, previous);
      from += block_size / 8 * bits;
    } else {
      decode_rest({from, bit_string_bytes(size, bits)}, bits, {out, size}, previous);
    }
    if (may_wrap(previous, bits)) right &= ascends(previous, {out, size});
    previous = out[size - 1];
    out += size;
  }
  return right ? status() : corrupt("bp128", "the list does not ascend");
}

}  // namespace orujo::internal::exchange::bp128

namespace orujo::internal::exchange::detail {

static std::size_t encode_bp128(std::span<const std::uint32_t> list, std::span<std::byte> into) {
  return bp128::encode(bp128::best_kernel(), list, into);
}
static status decode_bp128(std::span<const std::byte> bytes, std::span<std::uint32_t> into) {
  return bp128::decode(bp128::best_kernel(), bytes, into);
}
extern const codec bp128_codec{"bp128", bp128::room, encode_bp128, decode_bp128};

}  // namespace orujo::internal::exchange::detail
