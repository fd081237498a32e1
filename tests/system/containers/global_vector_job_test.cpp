#include "system/containers/global_vector.hpp"

#include <gtest/gtest.h>

#include <deque>

#include "system/base/random.hpp"
#include "system/containers/global_counter.hpp"
#include "tests/at_home.hpp"
#include "tests/sanitized.hpp"
#include "tests/system/cores_where.hpp"

namespace orujo::internal::containers {
namespace {

TEST(global_vector, does_as_a_deque_when_one_task_uses_it) {
  for (std::uint64_t seed = 1; seed <= (sanitized ? 1 : 3); ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    random_stream random(seed);
    const auto vector = global_vector<std::uint64_t>::create(static_cast<core_id>(seed) % cores());
    std::deque<std::uint64_t> model;
    const auto take = [&](std::optional<std::uint64_t> got, bool back) {
      ASSERT_EQ(got.has_value(), !model.empty());
      if (!got) return;
      EXPECT_EQ(*got, back ? model.back() : model.front());
      if (back) model.pop_back();
      if (!back) model.pop_front();
    };
    for (int k = 0; k < 200; ++k) {
      // The one task moves from core to core.
      const auto at = static_cast<core_id>(random.below(static_cast<std::uint64_t>(cores())));
      const std::uint64_t value = random(), what = random.below(4);
      delegates::completion_event there;
      std::optional<std::uint64_t> got;
      if (what < 2) model.push_back(value);
      const at_home result(got);
      const core_id me = my_core();
      delegates::async_spawn(there, at, [=, event = there.ref()] {
        if (what < 2) return vector.push(value);
        const auto taken = what == 2 ? vector.pop() : vector.dequeue();
        delegates::async_call(event, me, [=] { *result = taken; });
      });
      there.wait();
      if (what >= 2) take(got, what == 2);
      if (k % 50 == 0) {
        EXPECT_EQ(vector.size(), model.size());
      }
    }
    vector.destroy();
  }
}

// All cores push and take with many tasks; every element comes out once, some in the end.
TEST(global_vector, every_element_pushed_is_taken_once) {
  constexpr std::size_t per_core = 3000, tasks_per_core = 100;
  const std::size_t n = per_core * static_cast<std::size_t>(cores());
  const auto vector = global_vector<std::uint64_t>::create(cores() - 1);
  auto times = global_array<int>::create(n);
  const auto taken = global_counter::create();
  delegates::completion_event done;
  loops::on_all_cores([=, event = done.ref()] {
    const std::size_t first = per_core * static_cast<std::size_t>(my_core());
    loops::forall_here({0, tasks_per_core},
                       [=](std::size_t task) {
                         random_stream random(task, static_cast<std::uint64_t>(my_core()));
                         for (std::size_t i = task; i < per_core; i += tasks_per_core) {
                           if (random.below(4) == 0) {
                             vector.async_push(event, first + i);
                           } else {
                             vector.push(first + i);
                           }
                           if (random.below(3) == 0) continue;
                           const auto got = random.below(2) ? vector.pop() : vector.dequeue();
                           if (!got) continue;
                           delegates::async_increment(event, times[*got]);
                           taken.add();
                         }
                       },
                       {true, 1});
  });
  done.wait();
  const auto in_the_middle = static_cast<std::size_t>(taken.value());
  EXPECT_EQ(vector.size(), n - in_the_middle);
  EXPECT_GT(in_the_middle, 0u);
  loops::on_all_cores([=, event = done.ref()] {
    loops::forall_here({0, tasks_per_core}, [=](std::size_t task) {
      while (const auto got = task % 2 ? vector.pop() : vector.dequeue()) {
        delegates::async_increment(event, times[*got]);
      }
    });
  });
  done.wait();
  EXPECT_EQ(vector.size(), 0u);
  EXPECT_EQ(elements_other_than(times, 1), 0u);
  taken.destroy();
  times.destroy();
  vector.destroy();
}

// One task per core enqueues ascending numbers of its own while others dequeue: each of them meets every
// core's numbers in ascending order.
TEST(global_vector, a_queue_keeps_the_order_of_each_producer) {
  constexpr std::uint32_t per_core = 400;
  struct element {
    core_id producer;
    std::uint32_t number;
  };
  const auto queue = global_vector<element>::create();
  const auto wrong = global_counter::create(), taken = global_counter::create();
  loops::on_all_cores([=] {
    tasks::join_counter consumers(3);
    for (int k = 0; k < 3; ++k) {
      tasks::spawn([=, &consumers] {
        by_core<std::int64_t> last(cores(), -1);
        while (taken.value() < static_cast<std::int64_t>(per_core) * cores()) {
          const auto got = queue.dequeue();
          if (!got) continue;
          taken.add();
          std::int64_t& before = last[got->producer];
          if (got->number <= before) wrong.add();
          before = got->number;
        }
        consumers.complete();
      });
    }
    for (std::uint32_t k = 0; k < per_core; ++k) queue.enqueue({my_core(), k});
    consumers.wait();
  });
  EXPECT_EQ(wrong.value(), 0);
  EXPECT_EQ(queue.size(), 0u);
  taken.destroy();
  wrong.destroy();
  queue.destroy();
}

// Each task has pushed before it pops, so there is an element for everybody at all times.
TEST(global_vector, pop_finds_something_while_there_is_something) {
  const auto stack = global_vector<int>::create();
  const auto nothing_found = global_counter::create();
  loops::on_all_cores([=] {
    loops::forall_here({0, 50},
                       [=](std::size_t) {
                         for (int k = 0; k < 10; ++k) {
                           stack.push(k);
                           if (!stack.pop()) nothing_found.add();
                         }
                       },
                       {true, 1});
  });
  EXPECT_EQ(nothing_found.value(), 0);
  EXPECT_EQ(stack.size(), 0u);
  nothing_found.destroy();
  stack.destroy();
}

TEST(global_vector, takes_more_than_an_answer_has_room_for) {
  // Large elements, one segment each: 4 to a message, and more segments than the master lists in one answer.
  struct large {
    std::uint64_t number;
    std::byte filling[992];
  };
  constexpr std::size_t n = 250;
  const auto vector = global_vector<large>::create(cores() - 1);
  for (std::size_t i = 0; i < n; ++i) vector.push({i, {}});
  auto times = global_array<int>::create(n);
  delegates::completion_event done;
  loops::forall_here({0, n},
                     [&](std::size_t i) {
                       const auto got = i % 3 ? vector.pop() : vector.dequeue();
                       if (got) delegates::async_increment(done, times[got->number]);
                     },
                     {true, 1});
  done.wait();
  EXPECT_EQ(elements_other_than(times, 1), 0u);
  times.destroy();
  vector.destroy();
}

TEST(global_vector, forall_meets_what_is_left_and_clear_forgets_it) {
  constexpr std::size_t n = 3000;
  const auto vector = global_vector<std::uint64_t>::create();
  delegates::completion_event pushed;
  loops::forall({0, n}, [=, event = pushed.ref()](std::size_t i) { vector.async_push(event, i + 1); });
  pushed.wait();
  std::uint64_t expected = n * (n + 1) / 2;
  for (int k = 0; k < 100; ++k) expected -= *vector.pop() + *vector.dequeue();
  const auto sum = global_counter::create();
  loops::forall(vector, [=](std::uint64_t& element) { sum.add(static_cast<std::int64_t>(element)); });
  EXPECT_EQ(static_cast<std::uint64_t>(sum.value()), expected);
  vector.clear();
  EXPECT_EQ(vector.size(), 0u);
  EXPECT_EQ(vector.pop(), std::nullopt);
  vector.push(7);
  EXPECT_EQ(vector.dequeue(), 7u);
  sum.destroy();
  vector.destroy();
}

}  // namespace
}  // namespace orujo::internal::containers
