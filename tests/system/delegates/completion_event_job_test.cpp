#include <gtest/gtest.h>

#include "system/base/random.hpp"
#include "system/containers/global_array.hpp"
#include "system/delegates/delegate.hpp"
#include "system/messages/identity.hpp"

namespace orujo::delegates {
namespace {

// Grows a random tree of tasks over all cores; every node counts itself at its core.
void grow(event_ref event, containers::global_array<std::uint64_t> counts, std::uint64_t seed, int depth) {
  ++counts.local()[0];
  if (depth == 0) return;
  random_stream random(seed);
  const std::uint64_t children = random.below(4);
  for (std::uint64_t k = 0; k < children; ++k) {
    const auto core = static_cast<core_id>(random.below(static_cast<std::uint64_t>(cores())));
    async_spawn(event, core, [=, child = random()] {
      if (child % 3 == 0) tasks::yield();
      grow(event, counts, child, depth - 1);
    });
  }
}

// The size of the same tree, serially. The tree depends on the number of cores only in where its nodes run.
std::uint64_t tree_size(std::uint64_t seed, int depth) {
  if (depth == 0) return 1;
  random_stream random(seed);
  const std::uint64_t children = random.below(4);
  std::uint64_t size = 1;
  for (std::uint64_t k = 0; k < children; ++k) {
    random.below(static_cast<std::uint64_t>(cores()));
    size += tree_size(random(), depth - 1);
  }
  return size;
}

TEST(completion_event, waits_for_all_of_a_random_spawn_tree) {
  auto counts = containers::global_array<std::uint64_t>::create(static_cast<std::size_t>(cores()));
  std::uint64_t expected = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    completion_event all;
    async_spawn(all, 0, [=, event = all.ref()] { grow(event, counts, seed, 7); });
    all.wait();
    expected += tree_size(seed, 7);
    std::uint64_t total = 0;
    for (std::size_t c = 0; c < counts.size(); ++c) total += read(counts[c]);
    ASSERT_EQ(total, expected) << "seed " << seed;
  }
  counts.destroy();
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

}  // namespace
}  // namespace orujo::delegates
