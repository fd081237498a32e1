// Numbers from 0 on, far beyond the range of double.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>

namespace orujo::internal::algorithms {

// The value fraction * 2^(512 * exponent). Scaling is exact, so sums, products and reciprocals have the
// rounding of doubles, a relative error of 2^-53 each. Any thread; nothing here fails.
class scaled_number {
 public:
  scaled_number() = default;
  // The fraction is finite, from 0 on. Numbers of different exponents must be normalised before they are
  // added, which 0 and results of normalised() are.
  scaled_number(double fraction, std::int64_t exponent) : fraction_(fraction), exponent_(exponent) {}

  double fraction() const { return fraction_; }
  std::int64_t exponent() const { return exponent_; }
  bool is_zero() const { return fraction_ == 0; }

  // The same number with a fraction from 2^-256 to below 2^256, or 0.
  scaled_number normalised() const {
    if (is_zero()) return {};
    scaled_number same = *this;
    for (; same.fraction_ >= above; ++same.exponent_) same.fraction_ *= down;
    for (; same.fraction_ < below; --same.exponent_) same.fraction_ *= up;
    return same;
  }
  // Returns 0 or infinity if the number is out of the range of double.
  double rounded() const {
    constexpr std::int64_t far = 8;  // beyond any double, whatever the fraction
    if (is_zero() || exponent_ < -far) return 0;
    if (exponent_ > far) return std::numeric_limits<double>::infinity();
    return std::ldexp(fraction_, static_cast<int>(bits * exponent_));
  }

  // If exponents differ by more than one, the smaller number is less than 2^-511 of the other.
  scaled_number& operator+=(const scaled_number& b) {
    if (b.exponent_ == exponent_) {
      fraction_ += b.fraction_;
    } else if (b.exponent_ > exponent_) {
      fraction_ = b.fraction_ + (b.exponent_ - exponent_ == 1 ? fraction_ * down : 0);
      exponent_ = b.exponent_;
    } else if (exponent_ - b.exponent_ == 1) {
      fraction_ += b.fraction_ * down;
    }
    return *this;
  }
  // Both are normalised.
  friend scaled_number operator*(const scaled_number& a, const scaled_number& b) {
    return {a.fraction_ * b.fraction_, a.exponent_ + b.exponent_};
  }
  // The number is normalised and not 0.
  scaled_number reciprocal() const { return {1 / fraction_, -exponent_}; }

 private:
  static constexpr int bits = 512;
  static constexpr double above = 0x1p256, below = 0x1p-256, up = 0x1p512, down = 0x1p-512;
  // The exponent of 0: less than any other.
  static constexpr std::int64_t of_zero = std::numeric_limits<std::int64_t>::min() / 4;

  double fraction_ = 0;
  std::int64_t exponent_ = of_zero;
};

}  // namespace orujo::internal::algorithms
