#include "framework/exchange/squeezed_bits.hpp"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "system/machine/isa.hpp"

namespace orujo::exchange {

bit_word portable::gather_bits(bit_word bits, bit_word mask) {
  bit_word gathered = 0;
  for (bit_word rest = bits & mask; rest != 0; rest &= rest - 1) {
    const bit_word lowest = rest & (~rest + 1);
    gathered |= bit_word{1} << bits_of(mask & (lowest - 1));
  }
  return gathered;
}

bit_word portable::scatter_bits(bit_word bits, bit_word mask) {
  bit_word scattered = 0;
  for (; bits != 0 && mask != 0; bits >>= 1, mask &= mask - 1) {
    if ((bits & 1) != 0) scattered |= mask & (~mask + 1);
  }
  return scattered;
}

#if defined(__x86_64__)
namespace {

using bit_mover = bit_word (*)(bit_word bits, bit_word mask);
ORUJO_AVX2 bit_word gather_at_once(bit_word bits, bit_word mask) { return _pext_u64(bits, mask); }
ORUJO_AVX2 bit_word scatter_at_once(bit_word bits, bit_word mask) { return _pdep_u64(bits, mask); }

bit_mover choose(bit_mover portable, bit_mover at_once) {
  return machine::simd_from_flags() == machine::instruction_set::scalar ? portable : at_once;
}

}  // namespace

bit_word gather_bits(bit_word bits, bit_word mask) {
  static const bit_mover move = choose(portable::gather_bits, gather_at_once);
  return move(bits, mask);
}

bit_word scatter_bits(bit_word bits, bit_word mask) {
  static const bit_mover move = choose(portable::scatter_bits, scatter_at_once);
  return move(bits, mask);
}
#else
bit_word gather_bits(bit_word bits, bit_word mask) { return portable::gather_bits(bits, mask); }
bit_word scatter_bits(bit_word bits, bit_word mask) { return portable::scatter_bits(bits, mask); }
#endif

void squeeze(std::span<const bit_word> bits, std::span<const bit_word> masks, std::vector<bit_word>& into) {
  std::size_t room = 0, place = 0;
  for (const bit_word mask : masks) room += bits_of(mask);
  into.assign(words_for(room), 0);
  for (std::size_t w = 0; w < masks.size(); ++w) {
    const std::size_t at = place % bits_of_word, wide = bits_of(masks[w]);
    if (const bit_word moved = bits[w] == 0 ? 0 : gather_bits(bits[w], masks[w]); moved != 0) {
      into[place / bits_of_word] |= moved << at;
      if (at + wide > bits_of_word) into[place / bits_of_word + 1] |= moved >> (bits_of_word - at);
    }
    place += wide;
  }
}

}  // namespace orujo::exchange
