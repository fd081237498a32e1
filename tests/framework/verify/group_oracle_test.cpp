#include "framework/verify/group_oracle.hpp"

#include <gtest/gtest.h>

#include "tests/framework/mapreduce/text_files.hpp"

namespace orujo::verify {
namespace {

TEST(group_oracle, groups_a_table_by_hand) {
  const mapreduce::text_folder folder;
  const std::string path =
      folder.write("t", "town,n\n\"a, \"\"b\"\"\",1.5\r\n\n c ,-2\n\"a, \"\"b\"\"\",-0.25\nc,0.5");
  const auto sums = group_lines({path}, ',', true, 0, 1);
  ASSERT_TRUE(sums.ok());
  ASSERT_EQ(sums.value().size(), 2u);
  const decimal_sum& a = sums.value().at("a, \"b\"");
  const decimal_sum& c = sums.value().at("c");
  EXPECT_EQ(a.whole, 1);
  EXPECT_EQ(a.billionths, 250'000'000);
  EXPECT_EQ(c.whole, -1);
  EXPECT_EQ(c.billionths, -500'000'000);
  const auto counts = group_lines({path, path}, ',', true, 0, {});
  EXPECT_EQ(counts.value().at("c").whole, 4);
  EXPECT_FALSE(group_lines({folder.path() + "/none"}, ',', true, 0, {}).ok());
}

}  // namespace
}  // namespace orujo::verify
