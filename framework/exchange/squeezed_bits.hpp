// The bits of a word at the places of a mask, moved together, and back.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace orujo::exchange {

using bit_word = std::uint64_t;
inline constexpr std::size_t bits_of_word = 64;
constexpr std::size_t words_for(std::size_t bits) { return (bits + bits_of_word - 1) / bits_of_word; }
constexpr std::size_t bits_of(bit_word word) { return static_cast<std::size_t>(std::popcount(word)); }

// The bits of `bits` at the places that are set in the mask, as the lowest ones of a word; any thread.
bit_word gather_bits(bit_word bits, bit_word mask);
// The lowest bits of `bits` at the places that are set in the mask; the others are 0.
bit_word scatter_bits(bit_word bits, bit_word mask);

// What they do where the processor has no instructions for it (PEXT and PDEP of BMI2).
namespace portable {
bit_word gather_bits(bit_word bits, bit_word mask);
bit_word scatter_bits(bit_word bits, bit_word mask);
}  // namespace portable

// gather_bits() of whole sets: what comes of a word begins where that of the word before ends.
void squeeze(std::span<const bit_word> bits, std::span<const bit_word> masks, std::vector<bit_word>& into);

}  // namespace orujo::exchange
