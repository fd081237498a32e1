// Sums of fractions that are the same in any order.
#pragma once

#include <atomic>
#include <cmath>
#include <cstdint>

namespace orujo::internal::algorithms::detail {

// A sum of whole numbers, or of fractions in units of 2^-90. A number of at least 2^-38 in double precision
// is a whole number of these units; less is rounded down to one. So sums are exact, the same in any order,
// and 2^37 numbers of at most 1 do not overflow.
using exact_sum = unsigned __int128;
inline constexpr int bits_of_fraction = 90;

// Precondition: `value` is not negative, and below 2^38.
inline exact_sum in_units(double value) {
  return static_cast<exact_sum>(std::ldexp(value, bits_of_fraction));
}
inline double rounded(exact_sum units) { return std::ldexp(static_cast<double>(units), -bits_of_fraction); }

// A sum to which the cores of a locale add at the same time. It is read after all have added.
class shared_sum {
 public:
  void add(exact_sum more) {
    const auto low = static_cast<std::uint64_t>(more);
    const std::uint64_t before = std::atomic_ref(low_).fetch_add(low, std::memory_order_relaxed);
    const std::uint64_t high = static_cast<std::uint64_t>(more >> 64) + (before + low < before ? 1 : 0);
    if (high > 0) std::atomic_ref(high_).fetch_add(high, std::memory_order_relaxed);
  }
  exact_sum value() const { return exact_sum{high_} << 64 | low_; }

 private:
  std::uint64_t low_ = 0, high_ = 0;
};

}  // namespace orujo::internal::algorithms::detail
