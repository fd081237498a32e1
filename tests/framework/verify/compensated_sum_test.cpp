#include "framework/verify/compensated_sum.hpp"

#include <gtest/gtest.h>

namespace orujo::internal::verify {
namespace {

TEST(compensated_sum, keeps_what_additions_round_away) {
  compensated_sum sum;
  sum.add(1);
  for (int k = 0; k < 1 << 10; ++k) sum.add(0x1p-60);
  EXPECT_EQ(sum.value(), 1 + 0x1p-50);
  sum.add(0x1p60);
  sum.add(-0x1p60);
  EXPECT_EQ(sum.value(), 1 + 0x1p-50);
}

TEST(compensated_sum, is_exact_to_the_last_bit_of_many_alike) {
  compensated_sum sum;
  for (int k = 0; k < 1'000'000; ++k) sum.add(0.1);
  EXPECT_EQ(sum.value(), 1'000'000 * 0.1);
}

TEST(compensated_sum, begins_with_nothing) { EXPECT_EQ(compensated_sum().value(), 0); }

}  // namespace
}  // namespace orujo::internal::verify
