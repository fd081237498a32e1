#include "framework/graph/build/ranked_bitmap.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <set>
#include <thread>
#include <vector>

#include "system/base/random.hpp"

namespace orujo::internal::graph {
namespace {

void expect_same(ranked_bitmap& bitmap, const std::set<std::uint64_t>& model, std::uint64_t bound) {
  ASSERT_EQ(bitmap.count(), model.size());
  std::uint64_t rank = 0;
  for (std::uint64_t i = 0; i < bound; ++i) {
    ASSERT_EQ(bitmap.rank(i), rank) << i;
    ASSERT_EQ(bitmap.contains(i), model.contains(i)) << i;
    rank += model.contains(i) ? 1 : 0;
  }
  const std::vector<std::uint64_t> all(model.begin(), model.end());
  random_stream random(bound + model.size());
  for (int k = 0; k < 20; ++k) {
    const std::uint64_t a = random.below(all.size() + 1), b = random.below(all.size() + 1);
    std::vector<std::uint64_t> visited;
    bitmap.for_each(a, b, [&](std::uint64_t i) { visited.push_back(i); });
    const std::vector<std::uint64_t> expected(all.begin() + static_cast<std::ptrdiff_t>(a),
                                              all.begin() + static_cast<std::ptrdiff_t>(std::max(a, b)));
    ASSERT_EQ(visited, expected) << "ranks " << a << " to " << b;
  }
}

TEST(ranked_bitmap, agrees_with_a_set) {
  for (const std::uint64_t bound : {1u, 2u, 63u, 64u, 65u, 128u, 1000u}) {
    for (const std::uint64_t of_16 : {0u, 1u, 8u, 16u}) {
      SCOPED_TRACE(testing::Message() << "bound " << bound << ", " << of_16 << " of 16 set");
      ranked_bitmap bitmap(bound);
      std::set<std::uint64_t> model;
      random_stream random(bound * 17 + of_16);
      for (std::uint64_t i = 0; i < bound; ++i) {
        if (random.below(16) >= of_16) continue;
        bitmap.set(i);
        bitmap.set(i);
        model.insert(i);
      }
      expect_same(bitmap, model, bound);
    }
  }
}

TEST(ranked_bitmap, finds_members_beyond_long_gaps) {
  ranked_bitmap bitmap(100'000);
  for (const std::uint64_t i : {0u, 63u, 64u, 50'000u, 99'999u}) bitmap.set(i);
  EXPECT_EQ(bitmap.count(), 5u);
  std::vector<std::uint64_t> visited;
  bitmap.for_each(1, 5, [&](std::uint64_t i) { visited.push_back(i); });
  EXPECT_EQ(visited, (std::vector<std::uint64_t>{63, 64, 50'000, 99'999}));
  EXPECT_EQ(bitmap.rank(99'999), 4u);
}

TEST(ranked_bitmap, of_no_integers_has_none) {
  ranked_bitmap bitmap(0);
  EXPECT_EQ(bitmap.count(), 0u);
  EXPECT_TRUE(bitmap.words().empty());
  bitmap.for_each(0, 0, [](std::uint64_t) { FAIL(); });
}

TEST(ranked_bitmap, may_be_set_by_many_threads) {
  ranked_bitmap bitmap(1024);
  std::vector<std::thread> threads;
  for (std::uint64_t t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (std::uint64_t i = t; i < 1024; i += 3) bitmap.set(i);
    });
  }
  for (std::thread& t : threads) t.join();
  EXPECT_EQ(bitmap.count(), 1024u);
}

}  // namespace
}  // namespace orujo::internal::graph
