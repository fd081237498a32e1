// Sums of doubles that are right to the last bits, however many are added.
#pragma once

#include <cmath>

namespace orujo::internal::verify {

// Neumaier, "Rundungsfehleranalyse einiger Verfahren zur Summation endlicher Summen", ZAMM 54, 1974: what
// each addition rounds away is summed beside. The error is two units of the last place of the sum, and of the
// sum of all magnitudes as many as n^2 / 2^53.
class compensated_sum {
 public:
  void add(double more) {
    const double before = sum_;
    sum_ += more;
    rest_ += std::abs(before) >= std::abs(more) ? (before - sum_) + more : (more - sum_) + before;
  }
  double value() const { return sum_ + rest_; }

 private:
  double sum_ = 0, rest_ = 0;
};

}  // namespace orujo::internal::verify
