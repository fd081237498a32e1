#include "system/observe/step_log.hpp"

#include <gtest/gtest.h>

namespace orujo::internal::observe {
namespace {

class step_log_here : public testing::Test {
 protected:
  step_log_here() { begin_step_log_here(); }
  ~step_log_here() override { end_step_log_here(); }
  const step_log& log() const { return *base::part_here<step_log>(); }
};

TEST_F(step_log_here, numbers_supersteps_by_run) {
  for (int run = 0; run < 2; ++run) {
    begin_run_of_steps();
    { step_scope s("pull", 10, 100); }
    {
      step_scope s("push", 3);
      s.took_further(2);
    }
    {
      step_scope s("push", 1);
      s.looked_at(7);
      s.went_alone();
    }
  }
  ASSERT_EQ(log().steps.size(), 6u);
  const step expected[] = {{"pull", 10, 100, 0, 0, 1, false},
                           {"push", 3, step::not_counted, 0, 1, 3, false},
                           {"push", 1, 7, 0, 4, 1, true}};
  for (std::size_t k = 0; k < 6; ++k) {
    const step &found = log().steps[k], &wanted = expected[k % 3];
    EXPECT_STREQ(found.direction, wanted.direction);
    EXPECT_EQ(found.frontier, wanted.frontier);
    EXPECT_EQ(found.edges, wanted.edges);
    EXPECT_EQ(found.run, k / 3);
    EXPECT_EQ(found.number, wanted.number);
    EXPECT_EQ(found.supersteps, wanted.supersteps);
    EXPECT_EQ(found.alone, wanted.alone);
  }
}

TEST_F(step_log_here, tells_how_much_of_a_superstep_was_waiting) {
  {
    step_scope s("pull", 1);
    const std::uint64_t before = base::now_ns();
    while (base::now_ns() - before < 2'000'000) {
    }
    waiting_ns.add(500'000);
  }
  { step_scope s("pull", 1); }
  ASSERT_EQ(log().times.size(), 2u);
  EXPECT_GE(log().times[0].seconds, 0.0019);
  EXPECT_NEAR(log().times[0].waited, 0.0005, 1e-9);
  EXPECT_EQ(log().times[1].waited, 0);
}

TEST_F(step_log_here, counts_what_it_has_no_room_for) {
  for (std::size_t k = 0; k < step_log::capacity + 5; ++k) step_scope s("pull", k);
  EXPECT_EQ(log().steps.size(), step_log::capacity);
  EXPECT_EQ(log().steps.back().frontier, step_log::capacity - 1);
  EXPECT_EQ(log().left_out, 5u);
}

TEST(step_log, is_not_kept_where_nobody_wants_it) {
  begin_run_of_steps();
  { step_scope s("pull", 1); }
  EXPECT_EQ(base::part_here<step_log>(), nullptr);
  begin_step_log_here();
  EXPECT_TRUE(base::part_here<step_log>()->steps.empty());
  {
    step_scope s("pull", 1);
    end_step_log_here();  // before the superstep
  }
  EXPECT_EQ(base::part_here<step_log>(), nullptr);
}

}  // namespace
}  // namespace orujo::internal::observe
