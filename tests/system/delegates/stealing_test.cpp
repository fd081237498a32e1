// The distance that public tasks travel; each test is a job of its own in this process.
#include "system/delegates/stealing.hpp"

#include <gtest/gtest.h>
#include <sched.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <vector>

#include "system/base/identity.hpp"
#include "system/collectives/collectives.hpp"
#include "system/loops/forall.hpp"
#include "system/runtime/runtime.hpp"

namespace orujo::internal::delegates {
namespace {

constexpr std::uint64_t tasks_a_round = 500, most_rounds = 100'000;
constexpr std::size_t most_cores = 16;

struct where_run {
  std::uint64_t rounds = 0;
  std::vector<std::uint64_t> tasks;  // by core
  std::uint64_t stolen = 0;          // in all
};

// [task] Spawns public tasks at core 0 that yield at times, and counts where they run, until each of the
// first `wanted` cores has run some. Idle cores take part sooner or later.
where_run run_tasks_of_core_0(std::size_t wanted) {
  // One slot per core, written by its tasks only; in a job of one process.
  std::vector<std::uint64_t> counts(most_cores);
  where_run result;
  completion_event all;
  while (result.rounds < most_rounds &&
         std::count(counts.begin(), counts.begin() + static_cast<std::ptrdiff_t>(wanted), 0u) > 0) {
    ++result.rounds;
    for (std::uint64_t k = 0; k < tasks_a_round; ++k) {
      async_spawn_public(all, [k, counts = counts.data()] {
        if (k % 4 == 0) tasks::yield();
        ++counts[my_core()];
      });
      if (k % 100 == 0) tasks::yield();
    }
    all.wait();
  }
  result.tasks.assign(counts.begin(), counts.begin() + cores());
  std::vector<std::uint64_t> stolen(most_cores);
  loops::on_all_cores([stolen = stolen.data()] { stolen[my_core()] = public_tasks::here().stolen(); });
  for (const std::uint64_t count : stolen) result.stolen += count;
  return result;
}

where_run run_job(int locales, int cores, bool steals, std::size_t wanted) {
  runtime::job_options options;
  options.cores = cores;
  options.steal = steals;
  where_run result;
  EXPECT_EQ(runtime::run_loopback(locales, options,
                                  [&result, wanted] {
                                    result = run_tasks_of_core_0(wanted);
                                    return status();
                                  }),
            exit_status::ok);
  std::uint64_t sum = 0;
  for (const std::uint64_t count : result.tasks) sum += count;
  EXPECT_EQ(sum, result.rounds * tasks_a_round);
  EXPECT_LT(result.rounds, most_rounds);
  return result;
}

TEST(stealing, leaves_tasks_at_their_core_when_it_is_off) {
  const where_run r = run_job(2, 2, false, 1);
  EXPECT_EQ(r.tasks, (std::vector<std::uint64_t>{tasks_a_round, 0, 0, 0}));
  EXPECT_EQ(r.stolen, 0u);
}

TEST(stealing, reaches_every_core) {
  for (int locales : {2, 3, 4}) {
    const where_run r = run_job(locales, 1, true, static_cast<std::size_t>(locales));
    for (std::size_t c = 1; c < r.tasks.size(); ++c) EXPECT_GT(r.tasks[c], 0u) << c << " of " << locales;
  }
}

// Ends the process unless the other core of the locale takes a task while this one computes without a pause.
TEST(stealing, needs_no_help_from_a_busy_core_of_the_locale) {
  runtime::job_options options;
  options.cores = 2;
  std::atomic<bool> taken{false};
  EXPECT_EQ(runtime::run_loopback(1, options,
                                  [&taken] {
                                    completion_event all;
                                    async_spawn_public(all, [&taken] { taken = true; });
                                    while (!taken) sched_yield();
                                    all.wait();
                                    return status();
                                  }),
            exit_status::ok);
}

// Core 1 is busy until many of the tasks that yield at core 0 have ended. Then core 0 computes until core 1
// has taken some.
TEST(stealing, finds_half_of_the_tasks_that_are_left_at_a_core_whose_tasks_yield) {
  constexpr int count = 400, ended_before = 100, yields = 200;
  runtime::job_options options;
  options.cores = 2;
  std::atomic<bool> busy{false}, goes_on{false}, taken{false};
  std::uint64_t stolen = 0;
  int ended = 0;  // at core 0
  const auto work = [&] {
    completion_event all;
    async_spawn(all, 1, [&] {
      busy = true;
      while (!goes_on) sched_yield();
    });
    while (!busy) tasks::yield();
    for (int k = 0; k < count; ++k) {
      async_spawn_public(all, [&] {
        if (my_core() == 1) {
          if (!taken.exchange(true)) stolen = public_tasks::here().stolen();
          return;
        }
        for (int turn = 0; turn < yields; ++turn) tasks::yield();
        if (++ended != ended_before) return;
        goes_on = true;
        for (int left = 1'000'000; !taken && left > 0; --left) sched_yield();
      });
    }
    all.wait();
    return status();
  };
  EXPECT_EQ(runtime::run_loopback(1, options, work), exit_status::ok);
  EXPECT_GE(stolen, (count - ended_before) / 2 - 10);
}

TEST(stealing, drops_what_has_not_begun_when_the_job_ends) {
  struct large {
    std::array<std::uint64_t, 100> numbers;
  };
  runtime::job_options options;
  options.cores = 1;
  EXPECT_EQ(runtime::run_loopback(1, options,
                                  [] {
                                    tasks::spawn([] {
                                      completion_event never_complete;
                                      const large many{};
                                      for (int k = 0; k < 100; ++k) {
                                        async_spawn_public(never_complete, [many] { (void)many; });
                                      }
                                      tasks::full_empty<int>().read_when_full();
                                    });
                                    tasks::yield();
                                    return status();
                                  }),
            exit_status::ok);
}

}  // namespace
}  // namespace orujo::internal::delegates
