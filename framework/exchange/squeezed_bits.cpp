#include "framework/exchange/squeezed_bits.hpp"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "system/machine/isa.hpp"

namespace orujo::internal::exchange {
namespace {

// Bits at the positions of a mask move to the lowest ones in steps of 1, 2, 4 to 32 positions. Each step
// moves those whose distance has that bit. (Warren, "Hacker's Delight", 2nd edition, 2013, sections 7-4 and
// 7-5.)
struct bit_moves {
  explicit bit_moves(bit_word mask) {
    bit_word zeros = ~mask << 1;  // positions with a 0 of the mask to count on their right
    for (int k = 0; k < steps; ++k) {
      bit_word odd = zeros;  // positions with an odd number of these
      for (int shift = 1; shift < 64; shift *= 2) odd ^= odd << shift;
      by[k] = odd & mask;
      mask = (mask ^ by[k]) | by[k] >> (1 << k);
      zeros &= ~odd;
    }
  }

  static constexpr int steps = 6;
  bit_word by[steps];  // the bits that move by 2^k in step k
};

[[gnu::always_inline]] inline bit_word gather_by_steps(bit_word bits, bit_word mask) {
  bits &= mask;
  if (bits == 0) return 0;
  const bit_moves moves(mask);
  for (int k = 0; k < bit_moves::steps; ++k) {
    const bit_word moved = bits & moves.by[k];
    bits = (bits ^ moved) | moved >> (1 << k);
  }
  return bits;
}

}  // namespace

bit_word portable::gather_bits(bit_word bits, bit_word mask) { return gather_by_steps(bits, mask); }

bit_word portable::scatter_bits(bit_word bits, bit_word mask) {
  if (bits == 0) return 0;
  const bit_moves moves(mask);
  for (int k = bit_moves::steps; k-- > 0;) bits = (bits & ~moves.by[k]) | (bits << (1 << k) & moves.by[k]);
  return bits & mask;
}

namespace {

using bit_mover = bit_word (*)(bit_word bits, bit_word mask);
#if defined(__x86_64__)
ORUJO_AVX2 bit_word gather_at_once(bit_word bits, bit_word mask) { return _pext_u64(bits, mask); }
ORUJO_AVX2 bit_word scatter_at_once(bit_word bits, bit_word mask) { return _pdep_u64(bits, mask); }

// AMD's processors before Zen 3 execute PEXT and PDEP as microcode: 11 to 108 ns, by the bits of the mask.
// Six steps take 10.
bool moves_at_once() {
  static const bool fast = machine::simd_from_flags() != machine::instruction_set::scalar &&
                           !__builtin_cpu_is("bdver4") && !__builtin_cpu_is("znver1") &&
                           !__builtin_cpu_is("znver2");
  return fast;
}
#else
constexpr bit_mover gather_at_once = portable::gather_bits, scatter_at_once = portable::scatter_bits;
bool moves_at_once() { return false; }
#endif

// The bits of a word always go to two, without a branch.
template <class Gather>
[[gnu::always_inline]] inline void squeeze_by(Gather gather, std::span<const bit_word> bits,
                                              std::span<const bit_word> masks, bit_word* to) {
  std::size_t place = 0;
  for (std::size_t w = 0; w < masks.size(); ++w) {
    const bit_word moved = gather(bits[w], masks[w]);
    const std::size_t at = place % bits_of_word;
    to[place / bits_of_word] |= moved << at;
    to[place / bits_of_word + 1] |= moved >> 1 >> (bits_of_word - 1 - at);
    place += bits_of(masks[w]);
  }
}

}  // namespace

bit_word gather_bits(bit_word bits, bit_word mask) {
  static const bit_mover move = moves_at_once() ? gather_at_once : portable::gather_bits;
  return move(bits, mask);
}

bit_word scatter_bits(bit_word bits, bit_word mask) {
  static const bit_mover move = moves_at_once() ? scatter_at_once : portable::scatter_bits;
  return move(bits, mask);
}

void squeeze(std::span<const bit_word> bits, std::span<const bit_word> masks, std::size_t room,
             std::vector<bit_word>& into) {
  static const machine::instruction_set set = machine::simd_from_flags();
  into.assign(words_for(room) + 2, 0);
  // Copies for larger instruction sets count the bits of a word by one instruction, and may move them so.
  if (moves_at_once()) {
    machine::compiled_for(set, [bits, masks, to = into.data()] {
      squeeze_by([](bit_word b, bit_word m) { return gather_at_once(b, m); }, bits, masks, to);
    });
  } else {
    machine::compiled_for(set, [bits, masks, to = into.data()] {
      squeeze_by([](bit_word b, bit_word m) { return gather_by_steps(b, m); }, bits, masks, to);
    });
  }
  into.resize(words_for(room));
}

}  // namespace orujo::internal::exchange
