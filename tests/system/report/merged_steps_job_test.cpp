#include "system/report/merged_steps.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>

#include "system/base/identity.hpp"
#include "system/collectives/collectives.hpp"
#include "system/loops/forall.hpp"
#include "system/loops/schedule.hpp"
#include "system/tasks/scheduler.hpp"

namespace orujo::internal::report {
namespace {

// One core works in the second of three supersteps while the others wait for it.
merged_steps of_one_that_works() {
  begin_step_logs();
  loops::on_all_cores([] {
    observe::begin_run_of_steps();
    {
      observe::step_scope step("pull", 5, 50);
      collectives::barrier();
    }
    observe::step_scope step("push", 3);
    if (my_core() == cores() - 1) {
      // By its processor's time, in which others get their turns, too, however many there are.
      const double begin = loops::detail::thread_cpu_ns();
      while (loops::detail::thread_cpu_ns() - begin < 20e6) {
      }
    }
    collectives::barrier();
  });
  {
    observe::step_scope step("push", 1);
    step.went_alone();
  }
  return end_step_logs();
}

TEST(merged_steps, tell_of_those_that_wait_for_one_that_works) {
  merged_steps all = of_one_that_works();
  ASSERT_EQ(all.steps.size(), 3u);
  EXPECT_STREQ(all.steps[0].what.direction, "pull");
  EXPECT_EQ(all.steps[0].what.edges, 50u);
  EXPECT_TRUE(all.steps[2].what.alone);
  EXPECT_EQ(all.steps[2].what.number, 2u);
  ASSERT_EQ(all.busy.size(), static_cast<std::size_t>(cores()));
  // On a busy machine the working core may have waited longer earlier, for others to begin. A core that
  // yields its CPU within MPI does not count that.
  const auto others_waited = [&all] {
    return *std::max_element(all.waited.begin(), all.waited.end()) > all.waited.back();
  };
  for (int again = 0; again < 50 && cores() > 1 && !others_waited(); ++again) all = of_one_that_works();
  const merged_step& uneven = all.steps[1];
  EXPECT_GE(uneven.most_busy, 0.019);
  EXPECT_LE(uneven.mean_busy, uneven.most_busy);
  EXPECT_GE(all.busy.back(), 0.019);
  if (cores() > 1) {
    EXPECT_GT(uneven.most_waited, 0);
    EXPECT_TRUE(others_waited());
  }
}

TEST(merged_steps, end_with_the_log) {
  begin_step_logs();
  loops::on_all_cores([] { observe::step_scope step("pull", 1); });
  EXPECT_EQ(end_step_logs().steps.size(), 1u);
  loops::on_all_cores([] { observe::step_scope step("pull", 1); });
  EXPECT_TRUE(end_step_logs().steps.empty());
}

TEST(merged_steps, waiting_only_grows) {
  const std::vector<double> before = waited_by_core();
  tasks::scheduler::here()->pause(std::chrono::milliseconds(5));
  const std::vector<double> after = waited_by_core();
  ASSERT_EQ(after.size(), static_cast<std::size_t>(cores()));
  for (std::size_t c = 0; c < after.size(); ++c) EXPECT_GE(after[c], before[c]);
  EXPECT_GT(after[static_cast<std::size_t>(my_core())], before[static_cast<std::size_t>(my_core())]);
}

}  // namespace
}  // namespace orujo::internal::report
