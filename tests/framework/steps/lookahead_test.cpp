#include "framework/steps/lookahead.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <limits>

namespace orujo::internal::steps {
namespace {

constexpr int cores = 4;
constexpr std::uint64_t us = 1000;

// A round of steps, each with edges_of_step edges per core at 10 ns per edge, after a meeting of meeting_us
// for each core. The job advances by as many steps as the round may have, or as one core's edges allow.
void round(lookahead& ahead, std::uint64_t edges_of_step, std::uint64_t meeting_us,
           std::uint64_t most = 1'000'000) {
  const std::uint64_t steps =
      std::min({most, ahead.steps(), std::max<std::uint64_t>(ahead.edges() / edges_of_step, 1)});
  const std::uint64_t edges = cores * steps * edges_of_step;
  ahead.learn({edges, edges * 10, cores * meeting_us * us}, steps, cores);
}

TEST(lookahead, takes_more_steps_while_they_are_small) {
  lookahead ahead;
  const std::uint64_t before = ahead.steps();
  round(ahead, 10, 30);
  EXPECT_EQ(ahead.steps(), 2 * before);
  for (int k = 0; k < 20; ++k) round(ahead, 10, 30);
  EXPECT_EQ(ahead.steps(), 256u);
}

TEST(lookahead, takes_as_many_steps_as_it_may) {
  lookahead few(64), many(100'000);
  for (int k = 0; k < 40; ++k) {
    round(few, 1, 10'000);
    round(many, 1, 10'000);
  }
  EXPECT_EQ(few.steps(), 64u);
  EXPECT_GT(many.steps(), 4'000u);
  many.reset();
  for (int k = 0; k < 40; ++k) round(many, 1, 10'000);
  EXPECT_GT(many.steps(), 4'000u);
}

TEST(lookahead, takes_no_more_steps_than_numbers_have) {
  constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max() / 16;
  lookahead ahead(most);
  for (int k = 0; k < 80; ++k)
    ahead.learn({cores, 10, cores * us}, std::numeric_limits<std::uint64_t>::max(), cores);
  EXPECT_EQ(ahead.steps(), most);
}

TEST(lookahead, works_for_as_long_as_a_meeting_takes) {
  lookahead ahead, near;
  const std::uint64_t before = ahead.edges();
  for (int k = 0; k < 60; ++k) {
    round(ahead, 500, 1000);
    round(near, 500, 10);
  }
  EXPECT_GT(ahead.edges(), 80'000u);  // 100,000 edges take 1 ms
  EXPECT_LE(ahead.edges(), 100'000u);
  EXPECT_EQ(near.edges(), before);
}

TEST(lookahead, takes_one_step_after_the_other_when_they_are_large) {
  lookahead ahead;
  for (int k = 0; k < 60; ++k) round(ahead, 500, 1000);
  for (int k = 0; k < 10; ++k) round(ahead, 100'000, 1000);
  EXPECT_EQ(ahead.steps(), 1u);
  EXPECT_EQ(ahead.edges(), lookahead().edges());
}

TEST(lookahead, goes_no_further_than_the_job_gets_on) {
  lookahead ahead;
  for (int k = 0; k < 60; ++k) round(ahead, 10, 1000, 6);
  EXPECT_GE(ahead.steps(), 6u);
  EXPECT_LE(ahead.steps(), 60u);
}

TEST(lookahead, tells_when_meetings_prevail) {
  constexpr std::uint64_t cost = 2'000 * us;
  lookahead ahead;
  for (int k = 0; k < 15; ++k) {
    ahead.learn({400, 4'000, cores * 100 * us}, 1, cores);
    EXPECT_FALSE(ahead.meetings_prevail(0)) << "after few rounds";
  }
  for (int k = 0; k < 4; ++k) {
    ahead.learn({400, 4'000, cores * 100 * us}, 1, cores);
    EXPECT_TRUE(ahead.meetings_prevail(0));
    EXPECT_FALSE(ahead.meetings_prevail(cost));
  }
  for (int k = 0; k < 10; ++k) ahead.learn({400, 4'000, cores * 100 * us}, 1, cores);
  EXPECT_TRUE(ahead.meetings_prevail(cost));
  for (int k = 0; k < 4; ++k) ahead.learn({40'000, cores * 100 * us, cores * 100 * us}, 1, cores);
  EXPECT_FALSE(ahead.meetings_prevail(0)) << "when there is as much work";
}

TEST(lookahead, begins_anew) {
  lookahead ahead;
  for (int k = 0; k < 60; ++k) round(ahead, 500, 1000);
  ahead.reset();
  EXPECT_EQ(ahead.steps(), lookahead().steps());
  EXPECT_EQ(ahead.edges(), lookahead().edges());
}

}  // namespace
}  // namespace orujo::internal::steps
