#include "system/delegates/completion_event.hpp"

#include <gtest/gtest.h>

#include "system/containers/global_array.hpp"
#include "tests/system/delegates/random_tree.hpp"

namespace orujo::internal::delegates {
namespace {

TEST(completion_event, waits_for_all_of_a_random_spawn_tree) {
  EXPECT_EQ(early_events(tree_of::private_tasks, 30, 8), 0);
}

TEST(completion_event, of_no_work_is_complete) {
  completion_event none;
  none.wait();
  none.wait();
}

TEST(completion_event, many_are_alive_at_a_time_and_nest) {
  constexpr std::size_t outer = 20;
  auto done = containers::global_array<std::uint64_t>::create(outer);
  completion_event all;
  for (std::size_t k = 0; k < outer; ++k) {
    async_spawn(all, static_cast<core_id>(k) % cores(), [=] {
      completion_event inner;
      for (int n = 0; n < 100; ++n) async_increment(inner, done[k]);
      inner.wait();
      if (read(done[k]) != 100) write(done[k], 1'000'000);  // early
    });
  }
  all.wait();
  for (std::size_t k = 0; k < outer; ++k) EXPECT_EQ(read(done[k]), 100u);
  done.destroy();
}

TEST(finish, returns_when_all_that_began_inside_is_done) {
  const auto done = containers::global_array<std::uint64_t>::create(1);
  for (std::uint64_t round = 1; round <= 20; ++round) {
    finish([&](event_ref event) {
      for (core_id c = 0; c < cores(); ++c) {
        async_spawn(event, c, [event, to = done[0]] {
          tasks::yield();
          async_spawn(event, (my_core() + 1) % cores(), [event, to] {
            tasks::yield();
            async_increment(event, to);
          });
        });
      }
    });
    EXPECT_EQ(read(done[0]), round * static_cast<std::uint64_t>(cores()));
  }
  finish([](event_ref) {});
  done.destroy();
}

TEST(completion_event, waits_at_its_end_where_nobody_has) {
  const auto done = containers::global_array<std::uint64_t>::create(static_cast<std::size_t>(cores()));
  for (std::uint64_t round = 1; round <= 20; ++round) {
    {
      completion_event forgotten;
      for (core_id c = 0; c < cores(); ++c) {
        async_spawn(forgotten, c, [to = done[static_cast<std::size_t>(c)]] {
          for (int k = 0; k < 5; ++k) tasks::yield();
          increment(to);
        });
      }
    }
    for (core_id c = 0; c < cores(); ++c) EXPECT_EQ(read(done[static_cast<std::size_t>(c)]), round);
  }
  done.destroy();
}

}  // namespace
}  // namespace orujo::internal::delegates
