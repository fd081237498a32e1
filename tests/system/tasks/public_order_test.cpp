// The order in which a core begins public tasks: one by one while they yield, so that thieves find the
// others.
#include <gtest/gtest.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "tests/sanitized.hpp"
#include "tests/system/tasks/lone_core.hpp"

namespace orujo::internal::tasks {
namespace {

// A core with public tasks that no other core takes. The newest begins first.
class sharing_core final : public task_source {
 public:
  explicit sharing_core(std::uint64_t chaos_seed = 0) : core(chaos_seed) {
    core.scheduler.refill_from(*this);
  }

  template <class F>
  void add(F&& f) {
    queue_.emplace_back(std::forward<F>(f), "a public task");
  }
  std::size_t left() const { return queue_.size(); }

  bool refill() override {
    if (queue_.empty()) return false;
    core.scheduler.spawn(std::move(queue_.back()));
    queue_.pop_back();
    return true;
  }
  bool can_refill() override { return !queue_.empty(); }
  void seek() override {}
  void share() override {}

  lone_core core;

 private:
  std::vector<task> queue_;
};

// Runs `count` public tasks that yield `yields` times. Returns the largest number of tasks that had begun and
// not ended.
int most_begun_at_once(int count, int yields, std::uint64_t chaos_seed, bool suspends_first) {
  sharing_core all(chaos_seed);
  wait_queue gate;
  int begun = 0, most = 0, ended = 0;
  for (int k = 0; k < count; ++k) {
    all.add([&] {
      most = std::max(most, ++begun);
      if (suspends_first) {
        spawn([&] { all.core.scheduler.wake_all(gate); });
        all.core.scheduler.suspend(gate, "the gate");
      }
      for (int turn = 0; turn < yields; ++turn) yield();
      --begun;
      ++ended;
    });
  }
  all.core.run();
  EXPECT_EQ(ended, count);
  return most;
}

TEST(public_order, leaves_tasks_in_their_queue_while_begun_ones_yield) {
  for (const std::uint64_t chaos_seed : {0, 1}) {
    for (const int yields : {1, 20, 50, sanitized ? 200 : 2'000}) {
      for (const bool suspends_first : {false, true}) {
        EXPECT_LE(most_begun_at_once(1'000, yields, chaos_seed, suspends_first), 4 + yields / 32)
            << yields << " yields, chaos seed " << chaos_seed << (suspends_first ? ", woken" : "");
      }
    }
  }
}

// The queue's other end has the task for which the first one waits.
TEST(public_order, begins_others_beside_a_task_that_yields_until_they_have_run) {
  constexpr int count = 100;
  sharing_core all;
  int ran = 0, yields = 0;
  for (int k = 1; k < count; ++k) all.add([&] { ++ran; });
  all.add([&] {
    for (; ran < count - 1 && yields < 100'000; ++yields) yield();
  });
  all.core.run();
  EXPECT_EQ(ran, count - 1);
  EXPECT_LT(yields, 10 * count);
}

// Each waits for all, so the last one begins beside all others.
TEST(public_order, begins_tasks_that_yield_until_all_have_begun) {
  constexpr int count = 400;
  sharing_core all;
  int begun = 0, gave_up = 0;
  for (int k = 0; k < count; ++k) {
    all.add([&] {
      ++begun;
      int left = 100'000;
      while (begun < count && --left > 0) yield();
      gave_up += left == 0;
    });
  }
  all.core.run();
  EXPECT_EQ(begun, count);
  EXPECT_EQ(gave_up, 0);
  EXPECT_LT(all.core.polls, 290'000u);  // 4 for each that is ready, at most 1,024, and some for the parity
}

TEST(public_order, counts_no_suspended_task_as_ready) {
  constexpr int count = 100;
  sharing_core all;
  int begun = 0, yields = 0;
  for (int k = 0; k < count; ++k) {
    all.add([&] {
      ++begun;
      all.core.begin_together();
      EXPECT_EQ(begun, count);
    });
  }
  all.core.run([&] {
    for (; begun < count && yields < 100'000; ++yields) yield();
  });
  EXPECT_EQ(begun, count);
  EXPECT_LE(yields, 2 * count + 2);  // a private task that yields delays each by one turn
}

TEST(public_order, begins_private_tasks_first) {
  sharing_core all;
  std::vector<int> order;
  for (int k = 0; k < 10; ++k) {
    all.add([&, k] {
      order.push_back(19 - k);  // the newest first
      for (int turn = 0; turn < 3; ++turn) yield();
    });
    all.core.spawn([&, k] { order.push_back(k); });
  }
  all.core.run();
  EXPECT_EQ(order, numbers_below(20));
}

}  // namespace
}  // namespace orujo::internal::tasks
