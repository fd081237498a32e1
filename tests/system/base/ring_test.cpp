#include "system/base/ring.hpp"

#include <gtest/gtest.h>

#include <deque>
#include <memory>

#include "system/base/random.hpp"

namespace orujo::internal {
namespace {

TEST(ring, is_empty_at_first) {
  base::ring<int> r;
  EXPECT_TRUE(r.empty());
  EXPECT_EQ(r.size(), 0u);
}

TEST(ring, behaves_as_a_queue_under_random_pushes_and_pops) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    random_stream random(seed);
    base::ring<std::uint64_t> r;
    std::deque<std::uint64_t> expected;
    // Phases that mostly grow and phases that mostly shrink, so that the array wraps round at many sizes.
    for (int phase = 0; phase < 20; ++phase) {
      const std::uint64_t pushes_of_ten = 1 + random.below(9);
      for (int step = 0; step < 200; ++step) {
        if (random.below(10) < pushes_of_ten) {
          expected.push_back(random());
          r.push(expected.back());
        } else if (!expected.empty()) {
          ASSERT_EQ(r.pop(), expected.front());
          expected.pop_front();
        }
        ASSERT_EQ(r.size(), expected.size());
        ASSERT_EQ(r.empty(), expected.empty());
      }
    }
    while (!expected.empty()) {
      ASSERT_EQ(r.pop(), expected.front());
      expected.pop_front();
    }
  }
}

TEST(ring, holds_values_that_only_move) {
  base::ring<std::unique_ptr<int>> r;
  for (int k = 0; k < 200; ++k) r.push(std::make_unique<int>(k));
  for (int k = 0; k < 200; ++k) EXPECT_EQ(*r.pop(), k);
}

TEST(ring, keeps_nothing_of_a_popped_value) {
  base::ring<std::shared_ptr<int>> r;
  const auto shared = std::make_shared<int>(1);
  for (int k = 0; k < 100; ++k) r.push(shared);
  EXPECT_EQ(shared.use_count(), 101);
  for (int k = 0; k < 100; ++k) r.pop();
  EXPECT_EQ(shared.use_count(), 1);
}

}  // namespace
}  // namespace orujo::internal
