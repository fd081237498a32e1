// The bits of a word at the places of a mask, moved together, and back.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace orujo::exchange {

using bit_word = std::uint64_t;
inline constexpr std::size_t bits_of_word = 64;
constexpr std::size_t words_for(std::size_t bits) { return (bits + bits_of_word - 1) / bits_of_word; }
// In line everywhere: for any x86-64 std::popcount is a call, which costs more than what is done with a word.
// Compilers make one instruction of it where there is one.
constexpr std::size_t bits_of(bit_word word) {
  word -= word >> 1 & 0x5555555555555555;
  word = (word & 0x3333333333333333) + (word >> 2 & 0x3333333333333333);
  word = (word + (word >> 4)) & 0x0f0f0f0f0f0f0f0f;
  return word * 0x0101010101010101 >> 56;
}

// The bits of `bits` at the places that are set in the mask, as the lowest ones of a word; any thread.
bit_word gather_bits(bit_word bits, bit_word mask);
// The lowest bits of `bits` at the places that are set in the mask; the others are 0.
bit_word scatter_bits(bit_word bits, bit_word mask);

// What they do where the processor has no instructions for it (PEXT and PDEP of BMI2).
namespace portable {
bit_word gather_bits(bit_word bits, bit_word mask);
bit_word scatter_bits(bit_word bits, bit_word mask);
}  // namespace portable

// gather_bits() of whole sets, of which the masks have `room` bits: what comes of a word begins where that of
// the word before ends.
void squeeze(std::span<const bit_word> bits, std::span<const bit_word> masks, std::size_t room,
             std::vector<bit_word>& into);

}  // namespace orujo::exchange
