#include "system/delegates/stealing.hpp"

#include <gtest/gtest.h>

#include <array>

#include "system/base/random.hpp"
#include "system/containers/global_array.hpp"
#include "system/delegates/delegate.hpp"
#include "system/messages/identity.hpp"

namespace orujo::delegates {
namespace {

// Grows a random tree of public tasks; every node counts itself at the core where it runs.
void grow(event_ref event, containers::global_array<std::uint64_t> counts, std::uint64_t seed, int depth) {
  ++counts.local()[0];
  if (depth == 0) return;
  random_stream random(seed);
  for (std::uint64_t k = random.below(5); k > 0; --k) {
    async_spawn_public(event, [=, child = random()] {
      if (child % 3 == 0) tasks::yield();
      grow(event, counts, child, depth - 1);
    });
  }
}

std::uint64_t tree_size(std::uint64_t seed, int depth) {
  if (depth == 0) return 1;
  random_stream random(seed);
  std::uint64_t size = 1;
  for (std::uint64_t k = random.below(5); k > 0; --k) size += tree_size(random(), depth - 1);
  return size;
}

TEST(public_task, completion_is_exact_for_random_trees) {
  auto counts = containers::global_array<std::uint64_t>::create(static_cast<std::size_t>(cores()));
  std::uint64_t expected = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    completion_event all;
    grow(all, counts, seed, 8);
    all.wait();
    expected += tree_size(seed, 8);
    std::uint64_t sum = 0;
    for (std::size_t c = 0; c < counts.size(); ++c) sum += read(counts[c]);
    ASSERT_EQ(sum, expected) << "seed " << seed;
  }
  counts.destroy();
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

}  // namespace
}  // namespace orujo::delegates
