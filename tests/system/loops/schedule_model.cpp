// Cores that share a loop and take chunks from each other, in every order.
#include "system/loops/schedule.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/model/interleavings.hpp"

namespace orujo::internal::loops {
namespace {

struct counted_loop {
  counted_loop(std::size_t iterations, int cores, const schedule& how)
      : loop({0, iterations}, cores, how), runs(iterations), loads(static_cast<std::size_t>(cores)) {}
  shared_loop loop;
  std::vector<int> runs;  // of each iteration; only its current owner accesses it
  std::vector<int> loads;
};

// Two executions: who leaves last knows what all have done, and the loop is ready again.
model::outcome explore_loop(const model::limits& bounds, std::size_t iterations, int cores,
                            const schedule& how, const model::weakening& weaken = {}) {
  const auto share = [](counted_loop& all, int core) {
    while (const auto c = all.loop.next(core)) {
      for (std::size_t i = c->first; i < c->last; ++i) ++all.runs[i];
    }
  };
  return model::explore(
      bounds,
      [&](model::run& r) {
        counted_loop& all = r.make<counted_loop>(iterations, cores, how);
        all.loop.prepare();
        for (int core = 0; core < cores; ++core) {
          r.thread([&all, share, core] {
            share(all, core);
            all.loop.leave();
          });
        }
        r.finally([&all, share, cores] {
          for (int times : all.runs) model::expect(times == 1, "an iteration that did not run once");
          for (int core = 0; core < cores; ++core) share(all, core);
          for (int times : all.runs) model::expect(times == 2, "the loop was not ready again");
        });
      },
      weaken);
}

TEST(schedule_model, runs_every_iteration_once_while_cores_steal) {
  const model::outcome found = explore_loop({.preemptions = 2}, 4, 2, schedule::stealing(1));
  EXPECT_EQ(found.failure, "");
  EXPECT_TRUE(found.exhausted) << found.runs;
  EXPECT_GT(found.runs, 100u);
  EXPECT_EQ(explore_loop({.random_runs = 1'500}, 5, 3, schedule::stealing(1)).failure, "");
}

TEST(schedule_model, runs_every_iteration_once_while_cores_steal_subspaces) {
  const schedule how = schedule::user_defined(even_chunks{1}, {.num_subspaces = 4});
  const model::outcome found = explore_loop({.preemptions = 2}, 4, 2, how);
  EXPECT_EQ(found.failure, "");
  EXPECT_TRUE(found.exhausted) << found.runs;
}

TEST(schedule_model, runs_every_iteration_once_where_whoever_is_free_takes_the_next) {
  for (const schedule& how : {schedule::dynamic(1), schedule::guided(1)}) {
    const model::outcome found = explore_loop({.preemptions = 1}, 3, 3, how);
    EXPECT_EQ(found.failure, "");
    EXPECT_TRUE(found.exhausted);
  }
}

}  // namespace
}  // namespace orujo::internal::loops
