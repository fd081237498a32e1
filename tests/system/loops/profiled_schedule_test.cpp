// How profiled schedules balance the chunks of a loop over the cores; with threads as cores and no job.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <limits>
#include <numeric>
#include <thread>
#include <utility>
#include <vector>

#include "system/base/random.hpp"
#include "system/loops/schedule.hpp"
#include "tests/system/loops/loop_threads.hpp"
#include "tests/system/tasks/lone_core.hpp"

namespace orujo::internal::loops {
namespace {

TEST(profiled_schedule, balances_told_loads_before_the_first_execution) {
  //            core 0's subspace  1           2           3
  const std::vector<double> loads = {9, 3, 3, 9, 1, 1, 1, 1, 0, 0, 1, 1, 2, 4, 6, 6};
  shared_loop loop({0, 16}, 4, schedule::user_defined(told_loads{loads}, {.steal = false, .profile = true}));
  for (int execution = 0; execution < 2; ++execution) {
    expect_whole_loop(execute(loop), loop, {0, 16});
    EXPECT_EQ(loads_by_core(loop, loads), (std::vector<double>{12, 12, 12, 12}));
  }
}

// The serial oracle: where the middle of a chunk lies decides whose it is.
std::vector<double> balanced_serially(const std::vector<double>& loads, std::size_t cores) {
  const double all = std::accumulate(loads.begin(), loads.end(), 0.0);
  std::vector<double> sums(cores);
  double before = 0;
  for (const double load : loads) {
    std::size_t core = 0;
    while (core + 1 < cores &&
           before + load / 2 >= all * static_cast<double>(core + 1) / static_cast<double>(cores))
      ++core;
    sums[core] += load;
    before += load;
  }
  return sums;
}

TEST(profiled_schedule, balances_random_loads_as_well_as_chunks_allow) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    random_stream random(seed);
    const auto cores = static_cast<std::size_t>(1 + random.below(8));
    std::vector<double> loads(1 + random.below(400));
    // Whole numbers, so that sums are exact in any order.
    for (double& load : loads) load = static_cast<double>(random.below(5) == 0 ? random.below(500) : 1);
    shared_loop loop({0, loads.size()}, static_cast<int>(cores),
                     schedule::user_defined(told_loads{loads}, {.steal = seed % 2 == 0, .profile = true}));
    expect_whole_loop(execute(loop), loop, {0, loads.size()});
    const std::vector<double> sums = loads_by_core(loop, loads);
    EXPECT_EQ(sums, balanced_serially(loads, cores));
    const double even = std::accumulate(loads.begin(), loads.end(), 0.0) / static_cast<double>(cores);
    EXPECT_LE(*std::max_element(sums.begin(), sums.end()),
              even + *std::max_element(loads.begin(), loads.end()));
  }
}

TEST(profiled_schedule, keeps_equal_parts_without_any_load) {
  shared_loop loop({0, 8}, 2, schedule::user_defined(told_loads{std::vector<double>(8)}, {true, true}));
  expect_whole_loop(execute(loop), loop, {0, 8});
  EXPECT_EQ(loop.part(0).last, 4u);
}

TEST(profiled_schedule, balances_what_the_first_execution_measured) {
  // Iteration 0 takes as long as all others: told by hand in place of a clock.
  shared_loop loop({0, 100}, 2, schedule::profiled(1));
  tasks::lone_core here;
  here.run([&] {
    for (int execution = 0; execution < 3; ++execution) {
      loop.prepare();
      EXPECT_EQ(loop.measures(), execution == 0);
      EXPECT_EQ(loop.part(0).last, execution == 0 ? 50u : 1u);
      EXPECT_EQ(loop.part(1).first, execution == 0 ? 50u : 1u);
      while (const auto c = loop.next(1)) {
        if (loop.measures()) loop.set_load(c->number, c->number == 0 ? 99 : 1);
      }
      EXPECT_FALSE(loop.next(0));
      loop.leave();
      loop.leave();
    }
    loop.reset();
    loop.prepare();
    EXPECT_TRUE(loop.measures());
    EXPECT_EQ(loop.part(0).last, 50u);
  });
}

TEST(profiled_schedule, measures_the_time_of_bodies) {
  // All the work is in the first half: half of the cores would have nothing to do.
  shared_loop loop({0, 64}, 2, schedule::user_defined(aligned_chunks{1}, {.steal = false, .profile = true}));
  const auto execute_slowly = [&] {
    std::vector<std::thread> threads;
    for (int k = 0; k < 2; ++k) {
      threads.emplace_back([&, k] {
        tasks::lone_core here;
        here.run([&] {
          run_share(loop, k, [](std::size_t i) {
            for (volatile int spin = 0; i < 32 && spin < 200'000;) spin = spin + 1;
          });
        });
      });
    }
    for (std::thread& t : threads) t.join();
  };
  execute_slowly();
  EXPECT_LT(loop.part(0).last, 32u) << "the even cut";
  EXPECT_GT(loop.part(0).last, 0u);
}

}  // namespace
}  // namespace orujo::internal::loops
