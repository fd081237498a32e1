// A pseudo-random bijection on the numbers of a given width in bits, and its inverse.
#pragma once

#include <array>
#include <cstdint>

namespace orujo::internal::base {

// Multiplying by an odd number, adding, and xoring the upper half into the lower one can each be undone
// modulo 2^bits. Any thread; a few ns each way.
class scrambler {
 public:
  static constexpr std::size_t rounds = 3;
  using key = std::array<std::uint64_t, 2 * rounds>;  // any numbers

  scrambler() = default;
  // bits: 0..63
  scrambler(unsigned bits, const key& keys) : mask_((std::uint64_t{1} << bits) - 1), shift_((bits + 1) / 2) {
    for (std::size_t round = 0; round < rounds; ++round) {
      factor_[round] = keys[2 * round] | 1;
      addend_[round] = keys[2 * round + 1];
      inverse_[round] = inverse_of(factor_[round]);
    }
  }

  std::uint64_t operator()(std::uint64_t x) const {
    for (std::size_t round = 0; round < rounds; ++round) {
      x = (x * factor_[round] + addend_[round]) & mask_;
      x ^= x >> shift_;
    }
    return x & mask_;
  }

  std::uint64_t undo(std::uint64_t x) const {
    for (std::size_t round = rounds; round-- > 0;) {
      x ^= x >> shift_;  // a second time, as the upper half was not changed by the first
      x = ((x - addend_[round]) * inverse_[round]) & mask_;
    }
    return x;
  }

 private:
  // Modulo 2^64, by Newton's method: an odd number is its own inverse modulo 8, and every step doubles the
  // bits.
  static constexpr std::uint64_t inverse_of(std::uint64_t odd) {
    std::uint64_t inverse = odd;
    for (int bits = 3; bits < 64; bits *= 2) inverse *= 2 - odd * inverse;
    return inverse;
  }

  std::uint64_t mask_ = 0;
  unsigned shift_ = 0;
  std::uint64_t factor_[rounds] = {};
  std::uint64_t addend_[rounds] = {};
  std::uint64_t inverse_[rounds] = {};
};

}  // namespace orujo::internal::base
