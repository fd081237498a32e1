#include "system/base/random.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <random>
#include <set>
#include <vector>

namespace orujo::internal {
namespace {

static_assert(std::uniform_random_bit_generator<random_stream>);

TEST(mix64, is_the_finaliser_of_splitmix64) {
  // The first outputs of the authors' splitmix64.c from state 0.
  std::uint64_t state = 0;
  for (std::uint64_t expected : {0xe220a8397b1dcdafu, 0x6e789e6aa1b965f4u, 0x06c45d188009454fu}) {
    EXPECT_EQ(mix64(state += 0x9e3779b97f4a7c15u), expected);
  }
}

// The inverse of x ^ (x >> shift).
std::uint64_t unshift(std::uint64_t y, int shift) {
  std::uint64_t x = y;
  for (int known = shift; known < 64; known += shift) x = y ^ (x >> shift);
  return x;
}

// The inverse of an odd factor modulo 2^64, by Newton's iteration.
std::uint64_t inverse(std::uint64_t factor) {
  std::uint64_t x = factor;
  for (int k = 0; k < 6; ++k) x *= 2 - factor * x;
  return x;
}

TEST(mix64, can_be_undone_so_it_is_a_bijection) {
  const auto unmix = [](std::uint64_t y) {
    return unshift(unshift(unshift(y, 31) * inverse(0x94d049bb133111ebu), 27) * inverse(0xbf58476d1ce4e5b9u),
                   30);
  };
  for (std::uint64_t k = 0; k < 10'000; ++k) {
    const std::uint64_t x = k * 0x123456789abcdefu;
    ASSERT_EQ(unmix(mix64(x)), x);
  }
}

TEST(random_stream, repeats_itself_from_the_same_seed_and_stream) {
  random_stream a(5, 9), b(5, 9);
  for (int k = 0; k < 1000; ++k) ASSERT_EQ(a(), b());
}

TEST(random_stream, differs_between_seeds_and_streams) {
  std::set<std::uint64_t> seen;
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    for (std::uint64_t stream = 0; stream < 30; ++stream) {
      random_stream random(seed, stream);
      for (int k = 0; k < 10; ++k) seen.insert(random());
    }
  }
  EXPECT_EQ(seen.size(), 9000u);
}

TEST(random_stream, stays_below_its_bound_and_reaches_every_value) {
  for (std::uint64_t bound : {1, 2, 3, 7, 10, 64}) {
    random_stream random(42, bound);
    std::vector<int> times(bound);
    constexpr int draws = 64'000;
    for (int k = 0; k < draws; ++k) {
      const std::uint64_t value = random.below(bound);
      ASSERT_LT(value, bound);
      ++times[value];
    }
    // Six standard deviations of a binomial count.
    const double mean = static_cast<double>(draws) / static_cast<double>(bound);
    for (int count : times) EXPECT_NEAR(count, mean, 6 * std::sqrt(mean)) << "bound " << bound;
  }
}

TEST(random_stream, covers_the_whole_range_below_a_large_bound) {
  constexpr std::uint64_t bound = 0xfedcba9876543210u;
  random_stream random(1);
  std::array<int, 4> quarter{};
  for (int k = 0; k < 4000; ++k) {
    const std::uint64_t value = random.below(bound);
    ASSERT_LT(value, bound);
    ++quarter[value / (bound / 4)];
  }
  for (int count : quarter) EXPECT_NEAR(count, 1000, 200);
}

}  // namespace
}  // namespace orujo::internal
