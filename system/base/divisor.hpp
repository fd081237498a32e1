// Division of many numbers by one that is known beforehand, without the division instruction.
#pragma once

#include <cstdint>

namespace orujo::internal::base {

// By multiplication with the reciprocal, rounded down: for numbers below 2^63 the quotient so found is exact
// or one too small. (Granlund, Montgomery: "Division by Invariant Integers using Multiplication", PLDI 1994,
// is the general case.)
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
    const auto guess = static_cast<std::uint64_t>((static_cast<unsigned __int128>(n) * reciprocal_) >> 64);
    const std::uint64_t rest = n - guess * value_;
    const bool too_small = rest >= value_;
    return {guess + too_small, too_small ? rest - value_ : rest};
  }

 private:
  std::uint64_t value_, reciprocal_;
};

}  // namespace orujo::internal::base
