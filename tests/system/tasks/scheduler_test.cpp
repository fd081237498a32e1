#include "system/tasks/scheduler.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "tests/system/tasks/lone_core.hpp"

namespace orujo::internal::tasks {
namespace {

TEST(scheduler, runs_tasks_in_the_order_spawned) {
  lone_core core;
  std::vector<int> order;
  for (int k = 0; k < 500; ++k) core.spawn([&order, k] { order.push_back(k); });
  core.run([&] {
    for (int k = 500; k < 1000; ++k) spawn([&order, k] { order.push_back(k); });
  });
  EXPECT_EQ(order, numbers_below(1000));
}

TEST(scheduler, is_known_to_its_tasks_and_to_nobody_else) {
  lone_core core;
  EXPECT_EQ(scheduler::here_if_any(), nullptr);
  core.run([&] {
    EXPECT_EQ(scheduler::here(), &core.scheduler);
    EXPECT_NE(core.scheduler.current(), nullptr);
    EXPECT_TRUE(core.scheduler.may_suspend());
    std::thread([] { EXPECT_EQ(scheduler::here_if_any(), nullptr); }).join();
  });
  EXPECT_EQ(scheduler::here_if_any(), nullptr);
  EXPECT_FALSE(core.scheduler.may_suspend());
}

TEST(scheduler, names_the_origin_of_a_task) {
  lone_core core;
  std::string origin, here;
  core.run([&] {
    here = call_site::current().function_name();
    spawn([&] { origin = scheduler::here()->current()->running.origin(); });
  });
  EXPECT_FALSE(here.empty());
  EXPECT_EQ(origin, here);
}

TEST(scheduler, reuses_the_worker_of_a_finished_task) {
  lone_core core;
  std::set<worker*> workers;
  for (int k = 0; k < 1000; ++k) core.spawn([&] { workers.insert(core.scheduler.current()); });
  core.run();
  EXPECT_EQ(workers.size(), 1u);
}

TEST(scheduler, suspends_and_wakes_in_order) {
  lone_core core;
  wait_queue gate;
  std::vector<int> order;
  for (int k = 0; k < 100; ++k) {
    core.spawn([&, k] {
      core.scheduler.suspend(gate, "the gate");
      order.push_back(k);
    });
  }
  core.run([&] {
    EXPECT_TRUE(order.empty());
    worker* first = gate.pop();
    EXPECT_STREQ(first->waits_for, "the gate");
    core.scheduler.wake(first);
    core.scheduler.wake_all(gate);
    EXPECT_TRUE(gate.empty());
  });
  EXPECT_EQ(order, numbers_below(100));
}

TEST(scheduler, interleaves_tasks_that_yield) {
  lone_core core;
  std::vector<int> order;
  for (int k = 0; k < 3; ++k) {
    core.spawn([&, k] {
      core.begin_together();
      for (int turn = 0; turn < 100; ++turn) {
        order.push_back(3 * turn + k);
        yield();
      }
    });
  }
  core.run();
  EXPECT_EQ(order, numbers_below(300));
}

TEST(scheduler, comes_back_to_a_lone_task_that_yields) {
  lone_core core;
  int turns = 0;
  core.run([&] {
    for (; turns < 1000; ++turns) yield();
  });
  EXPECT_EQ(turns, 1000);
}

// Pauses end in the order of their ends, not of their begins.
TEST(scheduler, wakes_pausing_tasks_when_their_time_has_come) {
  using namespace std::chrono_literals;
  using time = std::chrono::steady_clock::time_point;
  struct pausing {
    time no_earlier, no_later;  // when it is to end, by clocks read before and after it began
  };
  lone_core core;
  std::vector<pausing> begun(4);
  std::vector<std::size_t> ended;
  for (std::size_t k = 0; k < begun.size(); ++k) {
    core.spawn([&, k] {
      const auto length = std::array{3ms, 1ms, 2ms, 0ms}[k];
      begun[k].no_earlier = std::chrono::steady_clock::now() + length;
      // The next task begins when this one pauses.
      spawn([&, k, length] { begun[k].no_later = std::chrono::steady_clock::now() + length; });
      scheduler::here()->pause(length);
      EXPECT_GE(std::chrono::steady_clock::now(), begun[k].no_earlier);
      ended.push_back(k);
    });
  }
  core.run();
  ASSERT_EQ(ended.size(), begun.size());
  for (std::size_t k = 1; k < ended.size(); ++k)
    EXPECT_LE(begun[ended[k - 1]].no_earlier, begun[ended[k]].no_later);
}

TEST(scheduler, begins_new_tasks_while_others_only_yield) {
  lone_core core;
  bool flag = false;
  int turns = 0;
  core.run([&] {
    spawn([&] { flag = true; });
    while (!flag && turns < 10'000) {
      ++turns;
      yield();
    }
  });
  EXPECT_TRUE(flag);
  EXPECT_LT(turns, 1000);
}

TEST(scheduler, keeps_polling_while_tasks_yield_and_switch) {
  lone_core core;
  for (int k = 0; k < 4; ++k) {
    core.spawn([] {
      for (int turn = 0; turn < 1000; ++turn) yield();
    });
  }
  core.run();
  EXPECT_GE(core.polls, 100u);
}

TEST(scheduler, keeps_polling_while_tasks_end) {
  lone_core core;
  for (int k = 0; k < 1000; ++k) core.spawn([] {});
  core.run();
  EXPECT_GE(core.polls, 1000u / 20);
}

TEST(scheduler, holds_forty_thousand_suspended_tasks) {
  lone_core core(0, 16 << 10);
  wait_queue gate;
  int begun = 0, ended = 0;
  for (int k = 0; k < many_workers; ++k) {
    core.spawn([&, k] {
      ++begun;
      int mine[16];  // survives on the task's own stack
      std::fill(mine, mine + 16, k);
      core.scheduler.suspend(gate, "the gate");
      ended += std::count(mine, mine + 16, k) == 16;
    });
  }
  core.run([&] {
    EXPECT_EQ(begun, many_workers);
    EXPECT_EQ(ended, 0);
    core.scheduler.wake_all(gate);
  });
  EXPECT_EQ(ended, many_workers);
}

void grow_tree(int depth, int& nodes) {
  ++nodes;
  for (int child = 0; depth > 0 && child < 3; ++child) {
    spawn([=, &nodes] {
      if (child == 1) yield();
      grow_tree(depth - 1, nodes);
    });
  }
}

TEST(scheduler, runs_tasks_that_spawn_tasks) {
  lone_core core;
  int nodes = 0;
  core.run([&] { grow_tree(7, nodes); });
  EXPECT_EQ(nodes, 3280);  // (3^8 - 1) / 2
}

// The order in which 50 tasks go on after each of some yields.
std::vector<int> order_under_chaos(std::uint64_t seed) {
  lone_core core(seed);
  std::vector<int> order;
  wait_queue gate;
  for (int k = 0; k < 50; ++k) {
    core.spawn([&, k] {
      core.scheduler.suspend(gate, "the gate");
      for (int turn = 0; turn < 4; ++turn) {
        order.push_back(k);
        yield();
      }
    });
  }
  core.run([&] { core.scheduler.wake_all(gate); });
  return order;
}

TEST(scheduler, permutes_ready_tasks_by_the_chaos_seed_and_loses_none) {
  const std::vector<int> without = order_under_chaos(0);
  std::set<std::vector<int>> orders{without};
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const std::vector<int> order = order_under_chaos(seed);
    EXPECT_EQ(order, order_under_chaos(seed)) << "chaos seed " << seed;
    EXPECT_TRUE(std::is_permutation(order.begin(), order.end(), without.begin(), without.end()))
        << "chaos seed " << seed;
    orders.insert(order);
  }
  EXPECT_EQ(orders.size(), 21u);
}

// Writes a whole array on the stack.
void use_stack(std::size_t bytes) {
  volatile char array[4096];
  for (std::size_t k = 0; k < sizeof(array); ++k) array[k] = 1;
  if (bytes > sizeof(array)) use_stack(bytes - sizeof(array));
  array[0] = 2;  // no tail call
}

TEST(scheduler, runs_a_task_on_a_stack_of_its_own_size) {
  lone_core core(0, 16 << 10);
  bool ended = false;
  core.scheduler.spawn(task(
                           [&] {
                             const stack& own = core.scheduler.current()->stack;
                             EXPECT_GE(own.top - own.bottom, 4 << 20);
                             use_stack(1 << 20);
                             ended = true;
                           },
                           "large"),
                       4 << 20);
  core.run();
  EXPECT_TRUE(ended);
}

// Counts closures that are alive.
struct alive {
  explicit alive(int& n) : count(&n) { ++*count; }
  alive(const alive& other) : alive(*other.count) {}
  ~alive() { --*count; }
  int* count;
};

TEST(scheduler, stops_and_destroys_the_closures_of_tasks_that_never_end) {
  int closures = 0, runs = 0;
  {
    wait_queue gate;
    lone_core core;
    for (int k = 0; k < 10; ++k) {
      core.spawn([&, a = alive(closures)] {
        ++runs;
        core.scheduler.suspend(gate, "what never comes");
        ++runs;
      });
    }
    core.spawn([&] { core.scheduler.stop(); });
    for (int k = 0; k < 100; ++k) core.spawn([&, a = alive(closures)] { ++runs; });
    core.run();
    EXPECT_EQ(runs, 10);
    EXPECT_EQ(closures, 110);
  }
  EXPECT_EQ(closures, 0);
  EXPECT_EQ(runs, 10);
}

// Wakes a suspended task, as a message would, after some turns without work.
class late_poller final : public poller {
 public:
  explicit late_poller(scheduler& s) : scheduler_(s) {}
  wait_queue waiting;
  int idle_calls = 0, sleeps = 0;

 private:
  bool poll() override {
    EXPECT_EQ(scheduler_.current(), nullptr);
    EXPECT_FALSE(scheduler_.may_suspend());
    if (idle_calls < 1000 || sleeps < 10 || waiting.empty()) return false;
    scheduler_.wake_all(waiting);
    return true;
  }
  bool idle() override {
    ++idle_calls;
    return false;
  }
  void sleep(std::chrono::nanoseconds most, std::chrono::nanoseconds waited) override {
    EXPECT_GT(most.count(), 0);
    EXPECT_GT(waited.count(), 0);
    ++sleeps;
  }
  scheduler& scheduler_;
};

TEST(scheduler, goes_on_polling_while_all_tasks_are_suspended) {
  scheduler s({64 << 10, 0});
  late_poller late(s);
  s.spawn(task(
      [&] {
        s.suspend(late.waiting, "a message");
        s.stop();
      },
      "here"));
  s.run(late);
  EXPECT_GE(late.idle_calls, 1000);
  EXPECT_GE(late.sleeps, 10);
}

TEST(scheduler, of_every_thread_is_its_own) {
  std::array<int, 3> sums{};
  std::vector<std::thread> threads;
  for (int& sum : sums) {
    threads.emplace_back([&sum] {
      lone_core core;
      wait_queue gate;
      for (int k = 0; k < 50; ++k) {
        core.spawn([&] {
          core.scheduler.suspend(gate, "the gate");
          for (int turn = 0; turn < 20; ++turn) yield();
          ++sum;
        });
      }
      core.run([&] { core.scheduler.wake_all(gate); });
    });
  }
  for (std::thread& t : threads) t.join();
  for (int sum : sums) EXPECT_EQ(sum, 50);
}

TEST(scheduler_death, ends_the_job_when_a_handler_would_suspend) {
  const auto suspend_in_handler = [] {
    wait_queue queue;
    scheduler& here = *scheduler::here();
    const scheduler::handler_scope in_handler(here);
    EXPECT_FALSE(here.may_suspend());
    here.suspend(queue, "its own end");
  };
  EXPECT_EXIT(
      run_as_core(suspend_in_handler), testing::ExitedWithCode(78),
      "\\[locale 3 core 1\\] FATAL: .*a message handler may not block, and this would wait for its own end");
  const auto yield_in_handler = [] {
    const scheduler::handler_scope in_handler(*scheduler::here());
    yield();
  };
  EXPECT_EXIT(run_as_core(yield_in_handler), testing::ExitedWithCode(78),
              "FATAL: .*a message handler may not block, and this would wait for its turn");
}

TEST(scheduler, lets_a_task_suspend_again_after_a_handler_ran_in_it) {
  lone_core core;
  bool ended = false;
  core.run([&] {
    { const scheduler::handler_scope in_handler(core.scheduler); }
    yield();
    ended = true;
  });
  EXPECT_TRUE(ended);
}

}  // namespace
}  // namespace orujo::internal::tasks
