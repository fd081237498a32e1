// How a locale's cores share a loop; with threads as cores, each with a scheduler, and no job.
#include "system/loops/schedule.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <limits>
#include <numeric>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "system/base/random.hpp"
#include "system/machine/topology.hpp"
#include "tests/system/loops/loop_threads.hpp"
#include "tests/system/tasks/lone_core.hpp"

namespace orujo::internal::loops {
namespace {

constexpr std::size_t huge = std::numeric_limits<std::size_t>::max();

// Every kind; those that depend on a chunk size with this one.
std::vector<std::pair<std::string, schedule>> all_schedules(index_range range, int cores, std::size_t size) {
  const reversed_cores reversed{{std::max<std::size_t>(size, 1)}, range, static_cast<std::size_t>(cores)};
  return {{"fixed in whole parts", schedule::fixed()},
          {"fixed", schedule::fixed(size)},
          {"round robin", schedule::round_robin(size)},
          {"dynamic", schedule::dynamic(size)},
          {"guided", schedule::guided(size)},
          {"stealing", schedule::stealing(size)},
          {"profiled", schedule::profiled(size)},
          {"user-defined", schedule::user_defined(reversed, {.steal = false})},
          {"user-defined, stealing", schedule::user_defined(reversed)},
          {"user-defined, profiled", schedule::user_defined(reversed, {.steal = false, .profile = true})}};
}

// --- every iteration exactly once ---

TEST(schedule, runs_random_loops_whole_under_every_kind) {
  for (std::uint64_t seed = 1; seed <= 25; ++seed) {
    random_stream random(seed);
    const std::size_t first = random.below(3) == 0 ? 0 : random.below(1000);
    const index_range range{first, first + (seed % 5 == 0 ? random.below(10) : random.below(3000))};
    const int cores = static_cast<int>(1 + random.below(8));
    const std::size_t size = random.below(4) == 0 ? random.below(5000) : random.below(40);
    for (const auto& [name, how] : all_schedules(range, cores, size)) {
      SCOPED_TRACE(testing::Message() << name << ", seed " << seed << ": [" << range.first << ", "
                                      << range.last << ") on " << cores << " cores, chunk " << size);
      shared_loop loop(range, cores, how);
      for (int execution = 0; execution < 3; ++execution) {
        expect_whole_loop(execute(loop), loop, range);
        if (execution == 1 && seed % 2 == 0) loop.reset();
      }
    }
  }
}

TEST(schedule, runs_loops_of_no_iterations) {
  for (const int cores : {1, 3}) {
    for (const auto& [name, how] : all_schedules({7, 7}, cores, 2)) {
      SCOPED_TRACE(name);
      shared_loop loop({7, 7}, cores, how);
      for (int execution = 0; execution < 3; ++execution) expect_whole_loop(execute(loop), loop, {7, 7});
      EXPECT_EQ(loop.chunks(), 0u);
    }
  }
}

TEST(schedule, does_not_depend_on_the_order_in_which_cores_come) {
  for (const auto& [name, how] : all_schedules({0, 100}, 4, 3)) {
    SCOPED_TRACE(name);
    shared_loop loop({0, 100}, 4, how);
    std::vector<std::size_t> first_sizes;
    for (const std::vector<int>& order : {std::vector{0, 1, 2, 3}, {3, 2, 1, 0}, {2, 0, 3, 1}}) {
      const shares all = execute_in_order(loop, order);
      expect_whole_loop(all, loop, {0, 100});
      // The chunks do not depend on the cores that run them.
      if (first_sizes.empty()) first_sizes = sizes(by_number(all));
      EXPECT_EQ(sizes(by_number(all)), first_sizes);
    }
  }
}

TEST(schedule, takes_ranges_up_to_the_largest_number) {
  for (const auto& [name, how] : all_schedules({0, huge}, 3, huge / 5)) {
    SCOPED_TRACE(name);
    shared_loop loop({0, huge}, 3, how);
    expect_whole_loop(execute_in_order(loop, {0, 1, 2}), loop, {0, huge});
  }
  for (const index_range range : {index_range{huge - 10, huge}, {5, 15}}) {
    for (const std::size_t size : {huge, huge - 3, huge / 2}) {
      for (const schedule& how : {schedule::fixed(size), schedule::round_robin(size), schedule::dynamic(size),
                                  schedule::guided(size), schedule::stealing(size)}) {
        shared_loop loop(range, 2, how);
        expect_whole_loop(execute_in_order(loop, {0, 1}), loop, range);
        EXPECT_EQ(loop.chunks(), 1u);
      }
      shared_loop loop(range, 2, schedule::profiled(size));
      expect_whole_loop(execute_in_order(loop, {0, 1}), loop, range);
      EXPECT_EQ(loop.chunks(), 2u);
    }
  }
}

TEST(schedule, raises_a_chunk_size_of_which_there_would_be_too_many) {
  for (const schedule& how : {schedule::fixed(1), schedule::round_robin(1), schedule::dynamic(0),
                              schedule::guided(0), schedule::stealing(1)}) {
    shared_loop loop({0, huge}, 2, how);
    EXPECT_LE(loop.chunks(), std::size_t{1} << 31);
    const std::optional<chunk> first = loop.next(0);
    ASSERT_TRUE(first.has_value());
    EXPECT_EQ(first->first, 0u);
    EXPECT_GE(first->last, huge >> 31);
    EXPECT_GT(loop.next(1)->first, 0u);
  }
}

TEST(schedule_death, refuses_a_range_that_ends_before_it_begins) {
  EXPECT_EXIT(tasks::run_as_core([] {
                shared_loop({5, 4}, 2, schedule::dynamic(1));
              }),
              testing::ExitedWithCode(78), "ends before it begins");
}

// --- each kind ---

TEST(schedule, fixed_deals_equal_consecutive_parts) {
  shared_loop loop({0, 100}, 3, schedule::fixed(10));
  for (int execution = 0; execution < 2; ++execution) {
    const shares all = execute(loop);
    EXPECT_EQ(numbers(all[0]), (std::vector<std::size_t>{0, 1, 2, 3}));
    EXPECT_EQ(numbers(all[1]), (std::vector<std::size_t>{4, 5, 6}));
    EXPECT_EQ(numbers(all[2]), (std::vector<std::size_t>{7, 8, 9}));
  }
}

TEST(schedule, fixed_without_a_size_makes_one_chunk_per_core) {
  shared_loop loop({10, 20}, 4, schedule::fixed());
  EXPECT_EQ(sizes(by_number(execute(loop))), (std::vector<std::size_t>{3, 3, 2, 2}));
  shared_loop few({10, 12}, 4, schedule::fixed());
  const shares all = execute(few);
  EXPECT_EQ(all[1].size(), 1u);
  EXPECT_EQ(all[2].size(), 0u);
}

TEST(schedule, round_robin_deals_chunks_in_turn) {
  shared_loop loop({0, 70}, 3, schedule::round_robin(10));
  for (int execution = 0; execution < 2; ++execution) {
    const shares all = execute(loop);
    EXPECT_EQ(numbers(all[0]), (std::vector<std::size_t>{0, 3, 6}));
    EXPECT_EQ(numbers(all[1]), (std::vector<std::size_t>{1, 4}));
    EXPECT_EQ(numbers(all[2]), (std::vector<std::size_t>{2, 5}));
  }
}

TEST(schedule, dynamic_lets_who_comes_first_take_all) {
  shared_loop loop({0, 100}, 4, schedule::dynamic(10));
  const shares all = execute_in_order(loop, {3, 0, 1, 2});
  EXPECT_EQ(all[3].size(), 10u);
}

TEST(schedule, guided_shrinks_its_chunks_down_to_the_smallest) {
  shared_loop loop({0, 80}, 2, schedule::guided(4));
  EXPECT_EQ(sizes(execute_in_order(loop, {1, 0})[1]),
            (std::vector<std::size_t>{20, 15, 12, 9, 6, 5, 4, 4, 4, 1}));
}

TEST(schedule, stealing_takes_half_of_what_a_core_has_left) {
  shared_loop loop({0, 16}, 2, schedule::stealing(1));
  for (std::size_t i = 0; i < 8; ++i) EXPECT_EQ(loop.next(0)->number, i);
  EXPECT_EQ(loop.next(0)->number, 12u);  // of 8..15
  EXPECT_EQ(loop.next(1)->number, 8u);
  for (std::size_t i = 13; i < 16; ++i) EXPECT_EQ(loop.next(0)->number, i);
  EXPECT_EQ(loop.next(0)->number, 10u);  // of 9..11
  EXPECT_EQ(loop.next(1)->number, 9u);
  EXPECT_EQ(loop.next(1)->number, 11u);  // stolen back
  EXPECT_FALSE(loop.next(1));
  EXPECT_FALSE(loop.next(0));
}

//   core      0    1    2    3
//   domain    a    a    b    b
//   chunks   0 1  2 3  4 5  6 7
TEST(schedule, steals_from_cores_of_the_own_domain_first) {
  const auto takes = [](const machine::core_place& place) {
    shared_loop loop({0, 8}, 4, schedule::stealing(1));
    std::vector<std::size_t> taken;
    std::thread([&] {
      machine::set_my_place(place);
      while (const auto c = loop.next(1)) taken.push_back(c->number);
    }).join();
    return taken;
  };
  EXPECT_EQ(takes({0, 2, 0, 2}), (std::vector<std::size_t>{2, 3, 1, 0, 5, 4, 7, 6}));
  EXPECT_EQ(takes({0, 1, 0, 4}), (std::vector<std::size_t>{2, 3, 5, 4, 7, 6, 1, 0}));
}

TEST(schedule, steals_everything_from_a_core_that_does_not_come) {
  const index_range range{0, 1000};
  for (const schedule& how :
       {schedule::stealing(7), schedule::profiled(7), schedule::user_defined(aligned_chunks{7})}) {
    shared_loop loop(range, 3, how);
    for (int execution = 0; execution < 2; ++execution) {
      shares all(3);
      std::thread other([&] { all[1] = take_part(loop, 1); });
      all[0] = take_part(loop, 0);
      other.join();
      expect_whole_loop(all, loop, range);
      EXPECT_TRUE(take_part(loop, 2).empty());  // late
    }
  }
}

TEST(schedule, leaves_the_part_of_a_core_that_does_not_come_without_stealing) {
  for (const schedule& how :
       {schedule::fixed(5), schedule::fixed(), schedule::user_defined(aligned_chunks{5}, {.steal = false})}) {
    shared_loop loop({0, 100}, 2, how);
    EXPECT_EQ(take_part(loop, 1).back().last, 100u);
    const std::vector<chunk> late = take_part(loop, 0);
    EXPECT_EQ(late.front().first, 0u);
    EXPECT_EQ(late.back().last, 50u);
  }
}

// --- user-defined ---

TEST(schedule, makes_the_chunks_that_the_policy_says) {
  shared_loop loop({3, 40}, 2, schedule::user_defined(aligned_chunks{10}, {.steal = false}));
  const shares all = execute(loop);
  EXPECT_EQ(sizes(all[0]), (std::vector<std::size_t>{7, 10, 2}));  // [3, 22)
  EXPECT_EQ(sizes(all[1]), (std::vector<std::size_t>{8, 10}));     // [22, 40)
}

TEST(schedule, begins_with_the_subspaces_of_the_policy_and_numbers_in_the_order_of_iterations) {
  const reversed_cores policy{{10}, {0, 40}, 2};
  shared_loop loop({0, 40}, 2, schedule::user_defined(policy, {.steal = false}));
  const shares all = execute(loop);
  EXPECT_EQ(numbers(all[0]), (std::vector<std::size_t>{2, 3}));
  EXPECT_EQ(numbers(all[1]), (std::vector<std::size_t>{0, 1}));
  EXPECT_EQ(loop.part(0).first, 20u);
  EXPECT_EQ(loop.part(1).last, 20u);
}

//   subspace    0     1     2     3     4
//   core        0     1     0     1     0
//   chunks      0 1   2 3   4 5   6 7   8 9
TEST(schedule, deals_more_subspaces_than_cores_in_turn) {
  const auto how = [](bool steal) {
    return schedule::user_defined(even_chunks{1}, {.steal = steal, .num_subspaces = 5});
  };
  shared_loop loop({0, 10}, 2, how(false));
  for (int execution = 0; execution < 2; ++execution) {
    const shares all = execute(loop);
    EXPECT_EQ(numbers(all[0]), (std::vector<std::size_t>{0, 1, 4, 5, 8, 9}));
    EXPECT_EQ(numbers(all[1]), (std::vector<std::size_t>{2, 3, 6, 7}));
    EXPECT_FALSE(loop.deals_parts());
  }
  // A thief takes half of what each subspace of the other core has left, after its own.
  shared_loop shared({0, 10}, 2, how(true));
  EXPECT_EQ(numbers(execute_in_order(shared, {1, 0})[1]),
            (std::vector<std::size_t>{2, 3, 6, 7, 1, 0, 5, 4, 9, 8}));
  for (int execution = 0; execution < 100; ++execution) expect_whole_loop(execute(shared), shared, {0, 10});
}

TEST(schedule, leaves_cores_without_a_subspace_to_steal) {
  shared_loop loop({0, 10}, 3, schedule::user_defined(even_chunks{1}, {.num_subspaces = 2}));
  EXPECT_EQ(execute_in_order(loop, {2, 0, 1})[2].size(), 10u);
  shared_loop alone({0, 10}, 3, schedule::user_defined(even_chunks{1}, {.steal = false, .num_subspaces = 2}));
  EXPECT_TRUE(execute(alone)[2].empty());
}

TEST(schedule, inspects_once_until_reset) {
  for (const bool profile : {false, true}) {
    std::vector<std::atomic<int>> calls(64);
    shared_loop loop({0, 64}, 4, schedule::user_defined(watched_policy{&calls}, {true, profile}));
    for (int inspections = 1; inspections <= 3; ++inspections) {
      for (int execution = 0; execution < 3; ++execution) {
        expect_whole_loop(execute(loop), loop, {0, 64});
        for (std::size_t i = 0; i < calls.size(); ++i) EXPECT_EQ(calls[i], i % 2 == 0 ? inspections : 0) << i;
      }
      loop.reset();
    }
  }
}

TEST(schedule, is_prepared_by_one_core_alone) {
  shared_loop loop({0, 100}, 4, schedule::user_defined(aligned_chunks{10}));
  tasks::lone_core here;
  here.run([&] { loop.prepare(); });
  EXPECT_EQ(loop.chunks(), 12u);
  expect_whole_loop(execute(loop), loop, {0, 100});
}

TEST(schedule_death, refuses_policies_that_lose_or_repeat_iterations) {
  const auto run = [](bad_policy policy) {
    tasks::run_as_core([policy] { shared_loop({0, 10}, 2, schedule::user_defined(policy)).prepare(); });
  };
  const testing::ExitedWithCode broken(78);
  EXPECT_EXIT(run({{{0, 4}, {5, 10}}}), broken, "leaves out iterations");
  EXPECT_EXIT(run({{{0, 6}, {5, 10}}}), broken, "repeats some");
  EXPECT_EXIT(run({{{0, 5}, {5, 9}}}), broken, "do not end where the loop does");
  EXPECT_EXIT(run({{{0, 5}, {5, 11}}}), broken, "do not end where the loop does");
  EXPECT_EXIT(run({{{0, 5}, {5, 10}}, 0}), broken, "empty chunk");
  EXPECT_EXIT(shared_loop({0, 10}, 2, schedule::user_defined(even_chunks{1}, {.num_subspaces = -1})), broken,
              "at most 2\\^20 subspaces");
}

// --- bodies ---

TEST(run_chunk, runs_plain_bodies_iteration_by_iteration) {
  std::vector<std::size_t> seen;
  auto body = [&](std::size_t i) { seen.push_back(i); };
  run_chunk(body, {3, 6, 1});
  EXPECT_EQ(seen, (std::vector<std::size_t>{3, 4, 5}));
}

TEST(run_chunk, hands_whole_chunks_to_bodies_that_take_them) {
  auto body = [](const chunk& c) { EXPECT_EQ(c.last - c.first + c.number, 4u); };
  run_chunk(body, {3, 6, 1});
}

TEST(run_chunk, prefers_the_scheduler_aware_form) {
  struct recorder {
    std::vector<std::size_t> log;
    void start_chunk(std::size_t first, std::size_t number) { log.insert(log.end(), {100, first, number}); }
    void body(std::size_t i) { log.push_back(i); }
    void finish_chunk(std::size_t last, std::size_t number) { log.insert(log.end(), {200, last, number}); }
    void operator()(std::size_t) { log.push_back(300); }
  } body;
  run_chunk(body, {3, 6, 1});
  EXPECT_EQ(body.log, (std::vector<std::size_t>{100, 3, 1, 3, 4, 5, 200, 6, 1}));
}

}  // namespace
}  // namespace orujo::internal::loops
