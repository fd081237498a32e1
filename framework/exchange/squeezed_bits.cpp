#include "framework/exchange/squeezed_bits.hpp"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include <type_traits>

#include "system/machine/isa.hpp"

namespace orujo::internal::exchange {

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

namespace {

// Inlined into copies for larger instruction sets, which count and move the bits of a word by one instruction
// each.
template <class Isa>
[[gnu::always_inline]] inline bit_word gathered(bit_word bits, bit_word mask) {
#if defined(__x86_64__)
  if constexpr (!std::is_same_v<Isa, machine::isa::scalar>) return gather_at_once(bits, mask);
#endif
  return portable::gather_bits(bits, mask);
}

}  // namespace

void squeeze(std::span<const bit_word> bits, std::span<const bit_word> masks, std::size_t room,
             std::vector<bit_word>& into) {
  static const machine::instruction_set set = machine::simd_from_flags();
  into.assign(words_for(room) + 2, 0);  // the bits of a word always go to two, without a branch
  machine::with_isa(set, [&](auto isa) {
    machine::compiled_for(isa, [bits, masks, to = into.data()] {
      std::size_t place = 0;
      for (std::size_t w = 0; w < masks.size(); ++w) {
        const bit_word moved = gathered<decltype(isa)>(bits[w], masks[w]);
        const std::size_t at = place % bits_of_word;
        to[place / bits_of_word] |= moved << at;
        to[place / bits_of_word + 1] |= moved >> 1 >> (bits_of_word - 1 - at);
        place += bits_of(masks[w]);
      }
    });
  });
  into.resize(words_for(room));
}

}  // namespace orujo::internal::exchange
