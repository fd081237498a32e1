#include "system/base/divisor.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "system/base/random.hpp"

namespace orujo::internal {
namespace {

constexpr std::uint64_t largest = (std::uint64_t{1} << 63) - 1;

base::divisor::division plain(std::uint64_t n, std::uint64_t by) { return {n / by, n % by}; }

TEST(divisor, divides_as_the_operator_does_at_the_edges) {
  for (std::uint64_t by :
       {std::uint64_t{1}, std::uint64_t{2}, std::uint64_t{3}, std::uint64_t{7}, std::uint64_t{1} << 32,
        (std::uint64_t{1} << 32) + 1, largest - 1, largest, largest + 1}) {
    const base::divisor d(by);
    for (std::uint64_t near : {std::uint64_t{0}, by, 2 * by, largest / by * by, largest}) {
      for (std::uint64_t n : {near - 1, near, near + 1}) {
        if (n > largest) continue;
        EXPECT_EQ(d.divide(n), plain(n, by)) << n << " by " << by;
      }
    }
  }
}

// Where the way of small numbers ends.
TEST(divisor, divides_as_the_operator_does_around_2_64_over_the_value) {
  for (std::uint64_t by = 2; by < largest / 2; by = by * 3 / 2 + 1) {
    const base::divisor d(by);
    const std::uint64_t limit = std::min(~std::uint64_t{0} / by, largest - 3);
    for (std::uint64_t n = limit - std::min<std::uint64_t>(limit, 3); n <= limit + 3; ++n)
      EXPECT_EQ(d.divide(n), plain(n, by)) << n << " by " << by;
  }
}

TEST(divisor, divides_random_numbers_as_the_operator_does) {
  random_stream random(7);
  for (int k = 0; k < 1'000'000; ++k) {
    const std::uint64_t by = (random() >> (1 + random.below(62))) + 1;
    const std::uint64_t n = random() >> (1 + random.below(62));
    ASSERT_EQ(base::divisor(by).divide(n), plain(n, by)) << n << " by " << by;
  }
}

}  // namespace
}  // namespace orujo::internal
