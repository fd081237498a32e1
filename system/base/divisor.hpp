// Division of many numbers by one that is known beforehand, without the division instruction.
#pragma once

#include <cstdint>

namespace orujo::internal::base {

// By multiplication with the reciprocal, rounded down. If n < 2^64 / value, the product of n + 1 is exact
// (Robison: "N-Bit Unsigned Division via N-Bit Multiply-Add", ARITH 2005). For larger n the product of n is
// exact or one too small.
class divisor {
 public:
  // From 1 to 2^63.
  constexpr divisor(std::uint64_t value) : value_(value), reciprocal_(~std::uint64_t{0} / value) {}

  constexpr std::uint64_t value() const { return value_; }
  bool operator==(const divisor&) const = default;

  struct division {
    std::uint64_t quotient, remainder;
    bool operator==(const division&) const = default;
  };
  // n < 2^63.
  constexpr division divide(std::uint64_t n) const {
    if (n < reciprocal_) [[likely]] {
      const std::uint64_t quotient = times_reciprocal(n + 1);
      return {quotient, n - quotient * value_};
    }
    const std::uint64_t guess = times_reciprocal(n), rest = n - guess * value_;
    const bool too_small = rest >= value_;
    return {guess + too_small, too_small ? rest - value_ : rest};
  }

 private:
  constexpr std::uint64_t times_reciprocal(std::uint64_t n) const {
    return static_cast<std::uint64_t>((static_cast<unsigned __int128>(n) * reciprocal_) >> 64);
  }

  std::uint64_t value_, reciprocal_;
};

}  // namespace orujo::internal::base
