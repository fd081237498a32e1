// Gathers the bits of a word at the positions of a mask, and scatters them back.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace orujo::internal::exchange {

using bit_word = std::uint64_t;
inline constexpr std::size_t bits_of_word = 64;
constexpr std::size_t words_for(std::size_t bits) { return (bits + bits_of_word - 1) / bits_of_word; }
// Inlined, as `std::popcount` is a call for generic x86-64, which costs more than the work on a word.
// Compilers make one instruction of this code if the processor has one.
constexpr std::size_t bits_of(bit_word word) {
  word -= word >> 1 & 0x5555555555555555;
  word = (word & 0x3333333333333333) + (word >> 2 & 0x3333333333333333);
  word = (word + (word >> 4)) & 0x0f0f0f0f0f0f0f0f;
  return word * 0x0101010101010101 >> 56;
}

// Returns the bits of `bits` at the set positions of the mask, as the lowest bits of a word. Any thread.
bit_word gather_bits(bit_word bits, bit_word mask);
// Returns the lowest bits of `bits` at the set positions of the mask; other bits are 0.
bit_word scatter_bits(bit_word bits, bit_word mask);

// Versions for processors where PEXT and PDEP of BMI2 are missing or slow.
namespace portable {
bit_word gather_bits(bit_word bits, bit_word mask);
bit_word scatter_bits(bit_word bits, bit_word mask);
}  // namespace portable

// Applies gather_bits() to a whole set, whose masks have `room` bits. The bits of a word follow those of the
// word before, without gaps.
void squeeze(std::span<const bit_word> bits, std::span<const bit_word> masks, std::size_t room,
             std::vector<bit_word>& into);

}  // namespace orujo::internal::exchange
