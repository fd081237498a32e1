#include "system/containers/global_bag.hpp"

#include <gtest/gtest.h>

#include "system/containers/global_counter.hpp"
#include "tests/system/cores_where.hpp"

namespace orujo::internal::containers {
namespace {

TEST(global_bag, what_one_core_puts_all_cores_take_once) {
  constexpr std::size_t n = 20'000;  // more than one theft can carry
  const auto bag = global_bag<std::uint64_t>::create();
  auto times = global_array<int>::create(n);
  EXPECT_TRUE(bag.drained());
  for (std::size_t i = 0; i < n; ++i) bag.put(i);
  EXPECT_FALSE(bag.drained());
  EXPECT_EQ(bag.size(), n);
  delegates::completion_event done;
  loops::on_all_cores([=, event = done.ref()] {
    loops::forall_here({0, 8}, [=](std::size_t) {
      while (const auto value = bag.take()) {
        delegates::async_increment(event, times[*value]);
        tasks::yield();
      }
    });
  });
  done.wait();
  EXPECT_EQ(elements_other_than(times, 1), 0u);
  EXPECT_TRUE(bag.drained());
  EXPECT_EQ(bag.size(), 0u);
  EXPECT_EQ(bag.take(), std::nullopt);
  times.destroy();
  bag.destroy();
}

// Every value taken puts two smaller ones back: a tree of work that grows from one core. Workers that meet an
// empty bag look again until all of it is done.
TEST(global_bag, work_that_makes_work_is_done_once) {
  constexpr std::uint64_t depth = 12, nodes = (1u << depth) - 1;
  const auto bag = global_bag<std::uint64_t>::create();
  auto times = global_array<int>::create(nodes + 1);
  const auto taken = global_counter::create();
  bag.put(1);
  delegates::completion_event done;
  loops::on_all_cores([=, event = done.ref()] {
    loops::forall_here({0, 3}, [=](std::size_t) {
      while (taken.value() < static_cast<std::int64_t>(nodes)) {
        const auto node = bag.take();
        if (!node) continue;
        delegates::async_increment(event, times[*node]);
        for (std::uint64_t child = 2 * *node; child <= 2 * *node + 1 && child <= nodes; ++child)
          bag.put(child);
        taken.add();
      }
    });
  });
  done.wait();
  EXPECT_EQ(taken.value(), static_cast<std::int64_t>(nodes));
  EXPECT_EQ(delegates::read(times[0]), 0);
  EXPECT_EQ(elements_other_than(times, 1, 1), 0u);
  EXPECT_TRUE(bag.drained());
  taken.destroy();
  times.destroy();
  bag.destroy();
}

// Values are moved about by thieves all the time, but there is always one: nobody may find the bag empty.
TEST(global_bag, is_never_found_empty_while_a_value_is_on_its_way) {
  const auto bag = global_bag<int>::create();
  const auto found_empty = global_counter::create();
  bag.put(0);  // never taken out for good: the others put one before they take one
  loops::on_all_cores([=] {
    for (int k = 0; k < 100; ++k) {
      bag.put(k);
      if (k % 10 == 0 && bag.drained()) found_empty.add();
      if (!bag.take()) found_empty.add();
      if (k % 7 == 0) tasks::yield();
    }
  });
  EXPECT_EQ(found_empty.value(), 0);
  EXPECT_EQ(bag.size(), 1u);
  found_empty.destroy();
  bag.destroy();
}

// All values are put on core 0 and taken by the cores between it and the last, which hold one at most each:
// one is always left. The last core asks: a single wave of its counts, older from core 0 than from the
// others, can see as many taken as put.
TEST(global_bag, is_never_found_empty_while_values_go_round) {
  const auto bag = global_bag<int>::create();
  const auto found_empty = global_counter::create();
  const std::size_t values = static_cast<std::size_t>(std::max(1, cores() - 1));
  for (std::size_t k = 0; k < values; ++k) bag.put(0);
  loops::on_all_cores([=] {
    for (int k = 0; k < 300; ++k) {
      if (my_core() == cores() - 1) {
        if (bag.drained()) found_empty.add();
      } else if (my_core() != 0) {
        if (!bag.take()) found_empty.add();
        delegates::call(0, [=] { bag.put(0); });
      }
    }
  });
  EXPECT_EQ(found_empty.value(), 0);
  EXPECT_EQ(bag.size(), values);
  found_empty.destroy();
  bag.destroy();
}

// One of them gets it, and all find out that it was the only one.
TEST(global_bag, gives_one_value_to_one_of_all_who_search) {
  const auto bag = global_bag<std::uint64_t>::create();
  const auto taken = global_array<std::uint64_t>::create(1);
  constexpr std::uint64_t rounds = 200;
  for (std::uint64_t round = 0; round < rounds; ++round) {
    delegates::call(static_cast<core_id>(round) % cores(), [bag] { bag.put(1); });
    loops::on_all_cores([=] {
      if (const auto value = bag.take()) delegates::increment(taken[0], *value);
    });
  }
  EXPECT_EQ(delegates::read(taken[0]), rounds);
  EXPECT_EQ(bag.size(), 0u);
  taken.destroy();
  bag.destroy();
}

TEST(global_bag, forall_meets_every_value_where_it_lies) {
  constexpr std::size_t per_core = 100;
  const auto bag = global_bag<std::uint64_t>::create();
  const auto wrong = global_counter::create(), sum = global_counter::create();
  loops::on_all_cores([=] {
    for (std::size_t k = 0; k < per_core; ++k) bag.put(static_cast<std::uint64_t>(my_core()));
  });
  loops::forall(bag, [=](std::uint64_t& value) {
    if (value != static_cast<std::uint64_t>(my_core())) wrong.add();
    sum.add();
  });
  EXPECT_EQ(wrong.value(), 0);
  EXPECT_EQ(sum.value(), static_cast<std::int64_t>(per_core) * cores());
  sum.destroy();
  wrong.destroy();
  bag.destroy();
}

}  // namespace
}  // namespace orujo::internal::containers
