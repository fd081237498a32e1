// Gaps less 1 in one to four bytes, whose numbers are stored separately, so that one shuffle reads four gaps.
// After Lemire, Kurz, Rupp, "Stream VByte: Faster byte-oriented integer compression", 2018. The layout is
//
//   | controls, 2 bits per gap, from the lowest | the gaps' bytes, the lowest first |
//
// A control is the number of the gap's bytes less 1.
#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "framework/exchange/codecs/codec.hpp"
#include "system/machine/isa.hpp"

#ifdef __x86_64__
#include <immintrin.h>
#endif

namespace orujo::internal::exchange::stream_varint {
namespace {

constexpr std::size_t lanes = 4, widest = 4;

constexpr std::size_t control_bytes(std::size_t count) { return (count + lanes - 1) / lanes; }
constexpr unsigned length_of(unsigned control, std::size_t lane) { return (control >> 2 * lane & 3) + 1; }

std::size_t room(std::size_t count) { return control_bytes(count) + count * widest; }

std::size_t encode(std::span<const std::uint32_t> list, std::span<std::byte> into) {
  std::byte* control = into.data();
  std::byte* to = control + control_bytes(list.size());
  std::uint32_t next = 0;
  for (std::size_t k = 0; k < list.size(); k += lanes) {
    unsigned lengths = 0;
    for (std::size_t lane = 0; lane < std::min(lanes, list.size() - k); ++lane) {
      const std::uint32_t gap = list[k + lane] - next;
      next = list[k + lane] + 1;
      const auto length = static_cast<unsigned>(std::bit_width(gap | 1u) + 7) / 8;
      std::memcpy(to, &gap, sizeof gap);  // the room is for four
      to += length;
      lengths |= (length - 1) << 2 * lane;
    }
    *control++ = static_cast<std::byte>(lengths);
  }
  return static_cast<std::size_t>(to - into.data());
}

// The remaining input and output.
struct cursor {
  const std::byte* control;
  std::span<const std::byte> gaps;
  std::span<std::uint32_t> out;
  std::uint32_t next = 0;
};

// Decodes gap by gap; returns false if bytes are missing.
bool decode_gaps(cursor& at) {
  for (; !at.out.empty(); ++at.control) {
    const std::size_t count = std::min(lanes, at.out.size());
    for (std::size_t lane = 0; lane < count; ++lane) {
      const std::size_t length = length_of(std::to_integer<unsigned>(*at.control), lane);
      if (at.gaps.size() < length) return false;
      std::uint32_t gap = 0;
      std::memcpy(&gap, at.gaps.data(), length);
      at.gaps = at.gaps.subspan(length);
      at.out[lane] = at.next + gap;
      at.next = at.out[lane] + 1;
    }
    at.out = at.out.subspan(count);
  }
  return true;
}

#ifdef __x86_64__
struct shuffle {
  std::array<std::uint8_t, 16> from = {};  // 0x80: a zero
  std::uint8_t bytes = 0;
};

constexpr std::array<shuffle, 256> make_shuffles() {
  std::array<shuffle, 256> all = {};
  for (unsigned control = 0; control < all.size(); ++control) {
    shuffle& s = all[control];
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      for (unsigned b = 0; b < widest; ++b)
        s.from[lane * widest + b] = b < length_of(control, lane) ? s.bytes++ : std::uint8_t{0x80};
    }
  }
  return all;
}
constexpr std::array<shuffle, 256> shuffles = make_shuffles();

// Decodes four gaps at a time while the bytes of a register are there; leaves the rest.
ORUJO_AVX2 void decode_fours(cursor& at) {
  const std::byte* from = at.gaps.data();
  const std::byte* const end = from + at.gaps.size();
  std::uint32_t* to = at.out.data();
  std::uint32_t* const out_end = to + at.out.size();
  const __m128i lane_numbers = _mm_setr_epi32(0, 1, 2, 3), four = _mm_set1_epi32(4);
  __m128i next = _mm_set1_epi32(static_cast<int>(at.next));
  for (; out_end - to >= 4 && end - from >= 16; to += lanes) {
    const shuffle& s = shuffles[std::to_integer<std::size_t>(*at.control++)];
    __m128i sums = _mm_shuffle_epi8(_mm_loadu_si128(reinterpret_cast<const __m128i*>(from)),
                                    _mm_loadu_si128(reinterpret_cast<const __m128i*>(s.from.data())));
    from += s.bytes;
    sums = _mm_add_epi32(sums, _mm_slli_si128(sums, 4));
    sums = _mm_add_epi32(sums, _mm_slli_si128(sums, 8));
    const __m128i values = _mm_add_epi32(_mm_add_epi32(sums, lane_numbers), next);
    _mm_storeu_si128(reinterpret_cast<__m128i*>(to), values);
    next = _mm_add_epi32(_mm_add_epi32(next, four), _mm_shuffle_epi32(sums, 0xff));
  }
  at.next = static_cast<std::uint32_t>(_mm_cvtsi128_si32(next));
  at.gaps = at.gaps.last(static_cast<std::size_t>(end - from));
  at.out = at.out.last(static_cast<std::size_t>(out_end - to));
}
#endif

status decode(std::span<const std::byte> bytes, std::span<std::uint32_t> into) {
  const std::size_t controls = control_bytes(into.size());
  if (bytes.size() < controls) return corrupt("stream_varint", "shorter than its controls");
  cursor at{bytes.data(), bytes.subspan(controls), into};
#ifdef __x86_64__
  if (machine::simd_from_flags() != machine::instruction_set::scalar) decode_fours(at);
#endif
  if (!decode_gaps(at)) return corrupt("stream_varint", "ends too early");
  if (!at.gaps.empty()) return corrupt("stream_varint", "bytes after the last integer");
  return ascends(-1, into) ? status() : corrupt("stream_varint", "the list does not ascend");
}

}  // namespace
}  // namespace orujo::internal::exchange::stream_varint

namespace orujo::internal::exchange::detail {
extern const codec stream_varint_codec{"stream_varint", stream_varint::room, stream_varint::encode,
                                       stream_varint::decode};
}
