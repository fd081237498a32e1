// Numbers for people, and files that somebody waits for. The files through the applications:
// pagerank_test.sh.
#include "applications/harness/harness.hpp"

#include <gtest/gtest.h>

namespace orujo::internal::harness {
namespace {

TEST(harness, gives_rates_three_digits_and_a_unit) {
  EXPECT_EQ(engineering(0), "0");
  EXPECT_EQ(engineering(12.3456), "12.3");
  EXPECT_EQ(engineering(999.4), "999");
  EXPECT_EQ(engineering(999.7), "1 k");
  EXPECT_EQ(engineering(151'800'000), "152 M");
  EXPECT_EQ(engineering(2.5e9), "2.5 G");
  EXPECT_EQ(engineering(4e15), "4e+03 T");
}

}  // namespace
}  // namespace orujo::internal::harness
