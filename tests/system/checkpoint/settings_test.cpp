#include "system/checkpoint/settings.hpp"

#include <gtest/gtest.h>

namespace orujo::internal::checkpoint {
namespace {

TEST(checkpoint_settings, know_intervals) {
  EXPECT_EQ(parse_interval("30s").value(), (interval{.seconds = 30}));
  EXPECT_EQ(parse_interval("0.25s").value(), (interval{.seconds = 0.25}));
  EXPECT_EQ(parse_interval("10").value(), (interval{.steps = 10}));
  EXPECT_EQ(parse_interval("10 supersteps").value(), (interval{.steps = 10}));
  EXPECT_TRUE(parse_interval("auto").value().is_automatic());
  for (const char* wrong :
       {"", "s", "0", "0s", "-1s", "-1", "1e10s", "infs", "nans", "10 s", "10 steps", "30m", "1x"})
    EXPECT_EQ(parse_interval(wrong).status().code(), exit_status::usage) << wrong;
}

// Young's own example: a job that fails once a day and takes 2 minutes for a checkpoint writes one every 76
// minutes.
TEST(checkpoint_settings, know_youngs_interval) { EXPECT_NEAR(young_interval(120, 86400), 76 * 60, 60); }

}  // namespace
}  // namespace orujo::internal::checkpoint
