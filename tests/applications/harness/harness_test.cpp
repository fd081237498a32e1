// Numbers for people, and files that somebody waits for. The files through the applications:
// pagerank_test.sh.
#include "applications/harness/harness.hpp"

#include <gtest/gtest.h>

namespace orujo::harness {
namespace {

TEST(harness, groups_digits_by_three) {
  EXPECT_EQ(grouped(0), "0");
  EXPECT_EQ(grouped(999), "999");
  EXPECT_EQ(grouped(1000), "1,000");
  EXPECT_EQ(grouped(1234567), "1,234,567");
  EXPECT_EQ(grouped(18446744073709551615u), "18,446,744,073,709,551,615");
}

TEST(harness, counts_with_a_noun) {
  EXPECT_EQ(counted(0, "core"), "0 cores");
  EXPECT_EQ(counted(1, "core"), "1 core");
  EXPECT_EQ(counted(2, "core"), "2 cores");
}

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
}  // namespace orujo::harness
