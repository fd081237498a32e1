#include "system/delegates/stealing.hpp"

#include <gtest/gtest.h>

#include <array>

#include "tests/system/delegates/random_tree.hpp"

namespace orujo::internal::delegates {
namespace {

TEST(public_task, completion_is_exact_for_random_trees) {
  EXPECT_EQ(early_events(tree_of::public_tasks, 20, 8), 0);
}

TEST(public_task, runs_once_whatever_the_size_of_its_closure) {
  constexpr std::size_t tasks = 300;
  auto runs = containers::global_array<std::uint64_t>::create(tasks);
  completion_event all;
  const auto spawn_some = [&](auto padding) {
    for (std::size_t k = 0; k < tasks; ++k) {
      padding.fill(static_cast<unsigned char>(k));
      async_spawn_public(all, [=, event = all.ref()] {
        bool intact = true;
        for (const unsigned char byte : padding) intact = intact && byte == static_cast<unsigned char>(k);
        async_increment(event, runs[k], std::uint64_t{intact});
      });
      if (k % 32 == 0) tasks::yield();
    }
  };
  spawn_some(std::array<unsigned char, 1>{});
  spawn_some(std::array<unsigned char, 100>{});
  spawn_some(std::array<unsigned char, 3000>{});
  all.wait();
  for (std::size_t k = 0; k < tasks; ++k) EXPECT_EQ(read(runs[k]), 3u) << k;
  runs.destroy();
}

TEST(public_task, may_suspend_wherever_it_runs) {
  auto sum = containers::global_array<std::uint64_t>::create(1);
  completion_event all;
  loops::on_all_cores([=, event = all.ref()] {
    for (std::uint64_t k = 0; k < 200; ++k) {
      async_spawn_public(event, [=] {
        const core_id began_at = my_core();
        fetch_and_add(sum[0], k);
        if (my_core() != began_at) fetch_and_add(sum[0], std::uint64_t{1} << 40);
      });
    }
  });
  all.wait();
  EXPECT_EQ(read(sum[0]), static_cast<std::uint64_t>(cores()) * 199 * 200 / 2);
  sum.destroy();
}

// Every core is busy with a task that yields until a public task has run.
TEST(public_task, does_not_starve_beside_tasks_that_yield) {
  auto raised = containers::global_array<std::uint64_t>::create(static_cast<std::size_t>(cores()));
  auto gave_up = containers::global_array<std::uint64_t>::create(1);
  loops::on_all_cores([=] {
    completion_event all;
    async_spawn_public(all, [to = raised[static_cast<std::size_t>(my_core())]] { write(to, 1); });
    const volatile std::uint64_t& flag = *raised[static_cast<std::size_t>(my_core())].local();
    int left = 1'000'000;
    while (flag == 0 && --left > 0) tasks::yield();
    if (left == 0) increment(gave_up[0]);
    all.wait();
  });
  EXPECT_EQ(read(gave_up[0]), 0u);
  raised.destroy();
  gave_up.destroy();
}

}  // namespace
}  // namespace orujo::internal::delegates
