#include "framework/algorithms/scaled_number.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "system/base/random.hpp"

namespace orujo::internal::algorithms {
namespace {

// Numbers from 2^-spread to 2^spread.
std::vector<double> draw(random_stream& random, std::size_t count, int spread) {
  std::vector<double> made;
  for (std::size_t k = 0; k < count; ++k) {
    const auto exponent = static_cast<int>(random.below(2 * static_cast<std::uint64_t>(spread) + 1)) - spread;
    made.push_back(std::ldexp(1 + static_cast<double>(random.below(1u << 30)) / (1u << 30), exponent));
  }
  return made;
}

// Times 2^(512 * exponent).
scaled_number scaled(double value, std::int64_t exponent) {
  return scaled_number(value, exponent).normalised();
}

constexpr std::int64_t exponents[] = {-(std::int64_t{1} << 28), -3, -1, 0, 1, 2, std::int64_t{1} << 28};

// Doubles, far from the ends of their range, are the oracle: all is the same at any exponent.
TEST(scaled_number, adds_multiplies_and_inverts_as_doubles_do_at_any_exponent) {
  random_stream random(7);
  for (const std::int64_t exponent : exponents) {
    const std::vector<double> values = draw(random, 40, 400);
    scaled_number sum;
    double expected = 0;
    for (const double value : values) {
      sum += scaled(value, exponent);
      expected += value;
    }
    EXPECT_NEAR((sum.normalised() * scaled(1, -exponent)).rounded() / expected, 1, 1e-14) << exponent;
    for (std::size_t k = 1; k < values.size(); ++k) {
      const scaled_number a = scaled(values[k - 1], exponent), b = scaled(values[k], -exponent);
      EXPECT_DOUBLE_EQ((a * b).rounded(), values[k - 1] * values[k]);
      EXPECT_DOUBLE_EQ((a.reciprocal().normalised() * scaled(1, exponent)).rounded(), 1 / values[k - 1]);
    }
  }
}

TEST(scaled_number, has_0_which_changes_no_sum) {
  EXPECT_TRUE(scaled_number().is_zero());
  EXPECT_EQ(scaled_number().rounded(), 0);
  EXPECT_TRUE((scaled_number() += {0, 0}).normalised().is_zero());
  for (const std::int64_t exponent : exponents) {
    scaled_number sum;
    sum += scaled(3, exponent);
    sum += scaled_number();
    EXPECT_EQ((sum.normalised() * scaled(1, -exponent)).rounded(), 3);
    EXPECT_EQ((scaled_number() * sum.normalised()).rounded(), 0);
  }
}

TEST(scaled_number, drops_what_is_too_small_to_count) {
  scaled_number sum = scaled(1, 5);
  sum += scaled(1, 3);
  sum += scaled(1, -1000);
  EXPECT_EQ((sum * scaled(1, -5)).rounded(), 1);
  scaled_number small = scaled(1, -1000);
  small += scaled(1, 5);
  EXPECT_EQ((small * scaled(1, -5)).rounded(), 1);
}

TEST(scaled_number, is_rounded_to_0_and_infinity_beyond_double) {
  EXPECT_EQ(scaled(0x1p-1074, 0).rounded(), 0x1p-1074);
  EXPECT_EQ(scaled(0x1p-562, -1).rounded(), 0x1p-1074);
  EXPECT_EQ(scaled(0x1p-60, -2).rounded(), 0);
  EXPECT_EQ(scaled(0x1p511, 1).rounded(), 0x1p1023);
  EXPECT_EQ(scaled(1, 2).rounded(), INFINITY);
  EXPECT_EQ(scaled(1, std::int64_t{1} << 40).rounded(), INFINITY);
  EXPECT_EQ(scaled(1, -(std::int64_t{1} << 40)).rounded(), 0);
}

}  // namespace
}  // namespace orujo::internal::algorithms
