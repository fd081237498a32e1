// How a locale's cores share a loop; with threads as cores and no job.
#include "system/loops/schedule.hpp"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

#include "system/base/random.hpp"

namespace orujo::loops {
namespace {

// The chunks every core of a locale got, in its order.
using shares = std::vector<std::vector<chunk>>;

shares share_among_threads(shared_loop& loop, int cores) {
  shares all(static_cast<std::size_t>(cores));
  std::vector<std::thread> threads;
  for (int k = 0; k < cores; ++k) {
    threads.emplace_back([&, k] {
      while (const auto c = loop.next(k)) all[static_cast<std::size_t>(k)].push_back(*c);
      EXPECT_FALSE(loop.next(k));
    });
  }
  for (std::thread& t : threads) t.join();
  return all;
}

// Every chunk once, of the right size, in ascending order at each core.
void expect_whole_loop(const shares& all, std::size_t iterations, std::size_t chunk_size) {
  std::vector<int> times((iterations + chunk_size - 1) / chunk_size);
  for (const auto& share : all) {
    for (std::size_t k = 0; k < share.size(); ++k) {
      const chunk& c = share[k];
      ASSERT_LT(c.number, times.size());
      ++times[c.number];
      EXPECT_EQ(c.first, c.number * chunk_size);
      EXPECT_EQ(c.last, c.number + 1 == times.size() ? iterations : c.first + chunk_size);
      if (k > 0) {
        EXPECT_GT(c.number, share[k - 1].number);
      }
    }
  }
  EXPECT_EQ(times, std::vector<int>(times.size(), 1));
}

void expect_shares_random_loops(schedule_kind kind) {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    random_stream random(seed);
    const std::size_t iterations = random.below(3000);
    const std::size_t chunk_size = 1 + random.below(40);
    const int cores = static_cast<int>(1 + random.below(4));
    shared_loop loop(iterations, chunk_size, cores, kind);
    for (int use = 0; use < 2; ++use) {
      expect_whole_loop(share_among_threads(loop, cores), iterations, chunk_size);
      loop.reset();
    }
  }
}

TEST(shared_loop, deals_every_chunk_once_when_dynamic) { expect_shares_random_loops(schedule_kind::dynamic); }

TEST(shared_loop, deals_every_chunk_once_when_fixed) { expect_shares_random_loops(schedule_kind::fixed); }

TEST(shared_loop, deals_equal_consecutive_parts_when_fixed) {
  for (int cores : {1, 3, 7, 20}) {
    shared_loop loop(100, 10, cores, schedule_kind::fixed);
    std::size_t next = 0;
    for (int k = cores; k-- > 0;) {  // the order in which cores come does not matter
      const std::size_t expected = 10 / static_cast<std::size_t>(cores);
      std::size_t count = 0, first = 0;
      while (const auto c = loop.next(k)) {
        if (count++ == 0) first = c->number;
        EXPECT_EQ(c->number, first + count - 1);
      }
      EXPECT_GE(count, expected);
      EXPECT_LE(count, expected + 1);
      next += count;
    }
    EXPECT_EQ(next, 10u);
  }
}

TEST(shared_loop, lets_one_core_take_all_when_dynamic) {
  shared_loop loop(100, 10, 4, schedule_kind::dynamic);
  for (std::size_t k = 0; k < 10; ++k) EXPECT_EQ(loop.next(3)->number, k);
  for (int k = 0; k < 4; ++k) EXPECT_FALSE(loop.next(k));
}

TEST(shared_loop, of_no_iterations_has_no_chunks) {
  for (schedule_kind kind : {schedule_kind::fixed, schedule_kind::dynamic}) {
    shared_loop loop(0, 10, 2, kind);
    EXPECT_EQ(loop.chunks(), 0u);
    EXPECT_FALSE(loop.next(0));
    EXPECT_FALSE(loop.next(1));
  }
}

TEST(shared_loop, takes_a_chunk_size_of_zero_for_one) {
  shared_loop loop(3, 0, 1, schedule_kind::dynamic);
  EXPECT_EQ(loop.chunks(), 3u);
  EXPECT_EQ(loop.next(0)->last, 1u);
}

TEST(shared_loop, makes_one_chunk_of_everything_when_chunks_are_larger) {
  shared_loop loop(10, ~std::size_t{0}, 1, schedule_kind::dynamic);
  const std::optional<chunk> all = loop.next(0);
  ASSERT_TRUE(all.has_value());
  EXPECT_EQ(all->first, 0u);
  EXPECT_EQ(all->last, 10u);
  EXPECT_FALSE(loop.next(0).has_value());
}

}  // namespace
}  // namespace orujo::loops
