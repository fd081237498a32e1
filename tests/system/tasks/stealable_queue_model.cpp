#include "system/tasks/stealable_queue.hpp"

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

#include "tests/model/interleavings.hpp"

namespace orujo::internal::tasks {
namespace {

struct shared_tasks {
  stealable_queue<int> queue;
  std::array<int, 4> runs{};  // of each task; only its current owner accesses it
};

void count(shared_tasks& all, int task) { ++all.runs[static_cast<std::size_t>(task)]; }

// The owner adds two tasks, runs one, adds two more and runs what it finds; two thieves take what they can.
model::outcome explore_theft(const model::limits& bounds,
                             const std::function<model::weakening(const shared_tasks&)>& weaken = {}) {
  static shared_tasks* here = nullptr;
  return model::explore(
      bounds,
      [](model::run& r) {
        shared_tasks& all = r.make<shared_tasks>();
        here = &all;
        r.thread([&all] {
          int task = 0;
          all.queue.push(0);
          all.queue.push(1);
          if (all.queue.pop(task)) count(all, task);
          all.queue.push(2);
          all.queue.push(3);
          while (all.queue.pop(task)) count(all, task);
        });
        for (int thief = 0; thief < 2; ++thief) {
          r.thread([&all] {
            std::vector<int> stolen;
            all.queue.steal(stolen);
            for (int task : stolen) count(all, task);
          });
        }
        r.finally([&all] {
          int task = 0;
          while (all.queue.pop(task)) count(all, task);  // pop may miss tasks
          for (int times : all.runs) model::expect(times == 1, "a task that did not run once");
        });
      },
      [&](const model::access& a) { return weaken ? weaken(*here)(a) : a.order; });
}

TEST(stealable_queue_model, gives_every_task_once) {
  const model::outcome found = explore_theft({.preemptions = 1, .stale_values = 1});
  EXPECT_EQ(found.failure, "");
  EXPECT_TRUE(found.exhausted) << found.runs;
  EXPECT_GT(found.runs, 100u);
  EXPECT_EQ(explore_theft({.random_runs = 1'500}).failure, "");
}

TEST(stealable_queue_model, needs_the_orders_of_its_lock) {
  const auto acquire = [](const shared_tasks& all) { return model::without_acquire(&all.queue, 1); };
  const auto release = [](const shared_tasks& all) { return model::without_release(&all.queue, 1); };
  EXPECT_NE(explore_theft({.random_runs = 3'000}, acquire).failure.find("a data race"), std::string::npos);
  EXPECT_NE(explore_theft({.random_runs = 3'000}, release).failure.find("a data race"), std::string::npos);
}

}  // namespace
}  // namespace orujo::internal::tasks
