// Sums that do not depend on the order of additions.
#pragma once

#include <cmath>

namespace orujo::internal::minimd {

// Adds multiples of 2^-40, to which each number is rounded. The energy of a million atoms is therefore the
// same on any number of cores. A number that is not finite, or is 2^22 or more, invalidates the sum.
class exact_sum {
 public:
  void add(double number) {
    if (std::abs(number) < 0x1p22) {
      quanta_ += std::llrint(number * 0x1p40);
    } else {
      lost_ = true;
    }
  }
  void operator+=(const exact_sum& other) {
    quanta_ += other.quanta_;
    lost_ = lost_ || other.lost_;
  }
  double value() const { return lost_ ? std::nan("") : static_cast<double>(quanta_) * 0x1p-40; }
  bool lost() const { return lost_; }

 private:
  __extension__ typedef __int128 wide;
  wide quanta_ = 0;
  bool lost_ = false;
};

}  // namespace orujo::internal::minimd
