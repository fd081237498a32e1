#include "system/base/counted.hpp"

#include <gtest/gtest.h>

namespace orujo::internal::base {
namespace {

TEST(counted, groups_digits_by_three) {
  EXPECT_EQ(grouped(0), "0");
  EXPECT_EQ(grouped(999), "999");
  EXPECT_EQ(grouped(1000), "1,000");
  EXPECT_EQ(grouped(1234567), "1,234,567");
  EXPECT_EQ(grouped(18446744073709551615u), "18,446,744,073,709,551,615");
}

TEST(counted, takes_the_plural_but_for_one) {
  EXPECT_EQ(counted(0, "core"), "0 cores");
  EXPECT_EQ(counted(1, "core"), "1 core");
  EXPECT_EQ(counted(2, "core"), "2 cores");
  EXPECT_EQ(counted(1, "vertex", "vertices"), "1 vertex");
  EXPECT_EQ(counted(2000, "vertex", "vertices"), "2,000 vertices");
}

}  // namespace
}  // namespace orujo::internal::base
