#include "framework/tables/mapreduce/word_bits.hpp"

#if defined(__SSE2__)
#include <immintrin.h>
#endif

namespace orujo::internal::mapreduce {

word_bits portable::word_bits_of(const char* bytes, bool letters) {
  word_bits bits;
  for (int k = 0; k < 64; ++k) {
    const auto c = static_cast<unsigned char>(bytes[k]);
    const std::uint64_t bit = std::uint64_t{1} << k;
    const bool letter = (c | 0x20) >= 'a' && (c | 0x20) <= 'z', digit = c >= '0' && c <= '9';
    if (letters ? letter || digit || c >= 0x80 : c > ' ') bits.of_word |= bit;
    if (c == 0) bits.nul |= bit;
    if (c >= 0x80) bits.beyond_ascii |= bit;
  }
  return bits;
}

#if defined(__SSE2__)  // every x86-64
namespace {

using bytes16 = __m128i;

bytes16 all(char c) { return _mm_set1_epi8(c); }
std::uint64_t bits_of(bytes16 mask) { return static_cast<unsigned>(_mm_movemask_epi8(mask)); }
// Unsigned, where both are.
bytes16 at_most(bytes16 x, char most) { return _mm_cmpeq_epi8(_mm_min_epu8(x, all(most)), x); }
bytes16 within(bytes16 x, char first, char last) {
  return at_most(_mm_sub_epi8(x, all(first)), static_cast<char>(last - first));
}

}  // namespace

word_bits word_bits_of(const char* bytes, bool letters) {
  word_bits bits;
  for (int k = 0; k < 64; k += 16) {
    const bytes16 x = _mm_loadu_si128(reinterpret_cast<const bytes16*>(bytes + k));
    const std::uint64_t beyond = bits_of(x);
    const std::uint64_t of_word =
        letters ? bits_of(_mm_or_si128(within(_mm_or_si128(x, all(0x20)), 'a', 'z'), within(x, '0', '9'))) |
                      beyond
                : bits_of(at_most(x, ' ')) ^ 0xffff;
    bits.of_word |= of_word << k;
    bits.nul |= bits_of(_mm_cmpeq_epi8(x, all(0))) << k;
    bits.beyond_ascii |= beyond << k;
  }
  return bits;
}
#else
word_bits word_bits_of(const char* bytes, bool letters) { return portable::word_bits_of(bytes, letters); }
#endif

}  // namespace orujo::internal::mapreduce
