#include "framework/steps/bins.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "system/base/random.hpp"
#include "tests/sanitized.hpp"

namespace orujo::internal::steps {
namespace {

using numbers = bins<std::uint64_t>;

// Returns the entries in the order in which a caller works them off. grow(entry) may push more.
template <class Grow>
std::vector<std::uint64_t> work_off(numbers& all, Grow grow) {
  std::vector<std::uint64_t> order;
  for (std::uint64_t b = 0; (b = all.first_from(b)) != numbers::none;) {
    if (!all.within_window(b)) all.move_window(b);
    std::vector<std::uint64_t> some;
    std::swap(some, all.bin(b));
    for (const std::uint64_t one : some) {
      order.push_back(one);
      grow(one);
    }
    all.recycle(std::move(some));
  }
  return order;
}

TEST(bins, come_in_order_however_far_they_lie_apart) {
  random_stream random(7);
  for (const std::uint64_t most : {100ul, 10'000ul, 1ul << 40, ~0ul - 1}) {
    numbers all;
    std::vector<std::uint64_t> expected;
    for (int k = 0; k < (sanitized ? 1000 : 5000); ++k) {
      const std::uint64_t one = random.below(k % 3 == 0 ? 100 : most);
      expected.push_back(one);
      all.push(one, one);
    }
    std::sort(expected.begin(), expected.end());
    EXPECT_EQ(work_off(all, [](std::uint64_t) {}), expected) << most;
  }
}

TEST(bins, take_entries_of_the_bin_that_is_worked_off_and_of_later_ones_meanwhile) {
  numbers all;
  all.push(0, 0);
  std::size_t count = 0;
  const std::vector<std::uint64_t> order = work_off(all, [&](std::uint64_t one) {
    if (++count > 3000) return;
    all.push(one, one);
    all.push(one + 1 + mix64(one) % 5000, one + 1 + mix64(one) % 5000);
  });
  EXPECT_TRUE(std::ranges::is_sorted(order));
  EXPECT_GT(order.size(), 3000u);
}

TEST(bins, take_entries_before_the_window) {
  numbers all;
  all.push(1'000'000, 1'000'000);
  all.move_window(1'000'000);
  all.push(1'000'001, 1'000'001);
  all.push(3, 3);
  all.push(5, 5);
  EXPECT_EQ(work_off(all, [](std::uint64_t) {}), (std::vector<std::uint64_t>{3, 5, 1'000'000, 1'000'001}));
}

TEST(bins, are_empty_once_cleared) {
  numbers all;
  all.push(0, 5);
  all.push(1ul << 50, 1);
  all.clear();
  EXPECT_EQ(all.first_from(0), numbers::none);
  all.push(3, 2);
  EXPECT_EQ(all.first_from(0), 3u);
}

}  // namespace
}  // namespace orujo::internal::steps
