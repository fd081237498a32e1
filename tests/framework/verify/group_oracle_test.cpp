#include "framework/verify/group_oracle.hpp"

#include <gtest/gtest.h>

namespace orujo::internal::verify {
namespace {

TEST(group_oracle, groups_a_table_by_hand) {
  const plain_table table{{"town", "n"},
                          {{{"a"}, {"1.5"}}, {{"c"}, {"-2"}}, {{"a"}, {"-0.25"}}, {{"c"}, {"0.5"}}}};
  const auto sums = group_rows(table, 0, 1);
  ASSERT_EQ(sums.size(), 2u);
  EXPECT_EQ(sums.at("a").whole, 1);
  EXPECT_EQ(sums.at("a").billionths, 250'000'000);
  EXPECT_EQ(sums.at("c").whole, -1);
  EXPECT_EQ(sums.at("c").billionths, -500'000'000);
  EXPECT_EQ(group_rows(table, 0, {}).at("c").whole, 2);
}

}  // namespace
}  // namespace orujo::internal::verify
