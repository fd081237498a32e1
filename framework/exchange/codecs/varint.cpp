#include "framework/exchange/codecs/varint.hpp"

#include <algorithm>
#include <cstring>

#include "framework/exchange/codecs/codec.hpp"

namespace orujo::internal::exchange::varint {
namespace {

constexpr std::size_t batch = sizeof(std::uint64_t);  // short gaps that are tested together
constexpr std::uint64_t more_bits = 0x8080808080808080u;

std::byte* put(std::uint32_t gap, std::byte* to) {
  for (; gap >= 128; gap >>= 7) *to++ = static_cast<std::byte>(gap | 128);
  *to++ = static_cast<std::byte>(gap);
  return to;
}

// Reads one gap from bytes[at..] and moves `at` past it. Returns more than 2^32 - 1 if there is none.
std::uint64_t take(std::span<const std::byte> bytes, std::size_t& at) {
  std::uint64_t gap = 0;
  for (unsigned shift = 0; shift < 35; shift += 7) {
    if (at == bytes.size()) break;
    const auto byte = std::to_integer<std::uint64_t>(bytes[at++]);
    gap |= (byte & 127) << shift;
    if (byte < 128) return gap;
  }
  return ~std::uint64_t{0} >> 1;
}

}  // namespace

std::byte* encode(std::span<const std::uint32_t> list, std::uint64_t next, std::byte* to) {
  std::uint32_t before = static_cast<std::uint32_t>(next) - 1;
  std::size_t k = 0;
  while (k < list.size()) {
    if (k > 0 && k + batch <= list.size()) {
      std::uint32_t all = 0;
      std::byte gaps[batch];
      for (std::size_t j = 0; j < batch; ++j) {
        const std::uint32_t gap = list[k + j] - list[k + j - 1] - 1;
        all |= gap;
        gaps[j] = static_cast<std::byte>(gap);
      }
      if (all < 128) {
        std::memcpy(to, gaps, batch);
        to += batch;
        k += batch;
        before = list[k - 1];
        continue;
      }
    }
    // A batch with a long gap, one by one.
    for (const std::size_t end = std::min(k + batch, list.size()); k < end; before = list[k++])
      to = put(list[k] - before - 1, to);
  }
  return to;
}

std::string_view decode(std::span<const std::byte> bytes, std::span<std::uint32_t> into,
                        std::uint64_t& next) {
  std::size_t at = 0, k = 0;
  while (k < into.size()) {
    std::uint64_t word = more_bits;
    if (k + batch <= into.size() && bytes.size() - at >= batch)
      std::memcpy(&word, bytes.data() + at, sizeof word);
    if ((word & more_bits) == 0) {
      for (std::size_t j = 0; j < batch; ++j) {
        next += word >> 8 * j & 127;
        into[k + j] = static_cast<std::uint32_t>(next++);
      }
      at += batch;
      k += batch;
    } else {
      for (const std::size_t end = std::min(k + batch, into.size()); k < end; ++k) {
        next += take(bytes, at);
        if (next > ~std::uint32_t{0}) return "ends too early, or a gap beyond 32 bits";
        into[k] = static_cast<std::uint32_t>(next++);
      }
    }
  }
  if (next > std::uint64_t{1} << 32) return "a gap beyond 32 bits";
  return at == bytes.size() ? "" : "bytes after the last integer";
}

}  // namespace orujo::internal::exchange::varint

namespace orujo::internal::exchange::detail {

static std::size_t encode_varint(std::span<const std::uint32_t> list, std::span<std::byte> into) {
  return static_cast<std::size_t>(varint::encode(list, 0, into.data()) - into.data());
}
static status decode_varint(std::span<const std::byte> bytes, std::span<std::uint32_t> into) {
  std::uint64_t next = 0;
  const std::string_view wrong = varint::decode(bytes, into, next);
  return wrong.empty() ? status() : corrupt("varint", wrong);
}
extern const codec varint_codec{"varint", varint::room, encode_varint, decode_varint};

}  // namespace orujo::internal::exchange::detail
