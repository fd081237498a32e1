#include "framework/layout/block_levels.hpp"

#include <gtest/gtest.h>

namespace orujo::internal::layout {
namespace {

TEST(block_levels, are_read_and_written) {
  const auto levels = parse_levels("64,1024,4096,2097152");
  ASSERT_TRUE(levels.has_value());
  EXPECT_EQ(*levels, (block_levels{64, 1024, 4096, 2097152}));
  EXPECT_EQ(to_text(*levels), "64,1024,4096,2097152");
  EXPECT_EQ(parse_levels("1"), block_levels{1});
}

TEST(block_levels, refuse_what_is_no_hierarchy) {
  for (const char* text :
       {"", ",", "64,", "0", "64,64", "4096,64", "64,100", "x", "64 128", "-64", "2199023255552",
        "1,2,4,8,16,32,64,128,256,512,1024,2048,4096,8192,16384,32768,65536"}) {
    EXPECT_FALSE(parse_levels(text).has_value()) << text;
  }
}

TEST(block_levels, of_the_machine_are_a_hierarchy) {
  const block_levels levels = machine_levels();
  EXPECT_EQ(parse_levels("auto"), levels);
  EXPECT_EQ(parse_levels(to_text(levels)), levels);
  EXPECT_GE(levels.size(), 2u);
}

}  // namespace
}  // namespace orujo::internal::layout
