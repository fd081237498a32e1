// A sum of many numbers in double precision.
#pragma once

namespace orujo::internal::algorithms {

// A sum and what its rounding has left out: equal, but for the last bit, in any order (Knuth's TwoSum).
struct precise_sum {
  double sum = 0, rest = 0;
  double value() const { return sum + rest; }
  friend precise_sum operator+(const precise_sum& a, const precise_sum& b) {
    const double both = a.sum + b.sum, from_b = both - a.sum;
    return {both, a.rest + b.rest + ((a.sum - (both - from_b)) + (b.sum - from_b))};
  }
};

}  // namespace orujo::internal::algorithms
