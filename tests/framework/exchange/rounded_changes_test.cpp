#include "framework/exchange/rounded_changes.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "system/base/random.hpp"

namespace orujo::internal::exchange {
namespace {

float rounded(float x) { return change_of(round_change(x)); }

// From -1 to 1.
float number(random_stream& random) {
  return static_cast<float>(random.below(1 << 21)) / static_cast<float>(1 << 20) - 1;
}

TEST(rounded_changes, keep_eight_binary_digits) {
  for (const float exact : {0.0f, -0.0f, 1.0f, -3.5f, 255.0f, 0x1p-120f, -0x1.fep100f}) {
    EXPECT_EQ(rounded(exact), exact);
    EXPECT_EQ(std::signbit(rounded(exact)), std::signbit(exact));
  }
  // Ties go to the even neighbour.
  EXPECT_EQ(rounded(0x1.01p0f), 1.0f);
  EXPECT_EQ(rounded(0x1.03p0f), 0x1.04p0f);
  EXPECT_EQ(rounded(0x1.010002p0f), 0x1.02p0f);
  EXPECT_EQ(rounded(std::numeric_limits<float>::infinity()), std::numeric_limits<float>::infinity());
}

TEST(rounded_changes, are_off_by_a_256th_at_most) {
  random_stream random(1);
  for (int k = 0; k < 100'000; ++k) {
    const float x = std::ldexp(number(random), static_cast<int>(random.below(60)) - 30);
    ASSERT_LE(std::abs(rounded(x) - x), std::abs(x) * 0x1p-8f) << x;
  }
}

// The error of values that stay as they are falls by a factor of 256 at least in each round.
TEST(rounded_changes, make_up_for_what_rounding_leaves_out) {
  random_stream random(2);
  std::vector<float> values(3000), known(values.size()), there(values.size());
  std::vector<rounded_change> changes(values.size());
  for (float& v : values) v = number(random);
  const auto round = [&] {
    const bool any = take_changes(
        known, [&](std::size_t k) { return values[k]; }, changes.data());
    add_changes(std::as_bytes(std::span(changes)), there.data());
    EXPECT_EQ(there, known);
    return any;
  };
  double most = 1;
  for (int k = 1; k <= 2; ++k) {
    EXPECT_TRUE(round());
    most /= 256;
    for (std::size_t v = 0; v < values.size(); ++v)
      ASSERT_LE(std::abs(there[v] - values[v]), most * std::abs(values[v])) << "round " << k;
  }
  EXPECT_TRUE(round());
  EXPECT_EQ(there, values);
  EXPECT_FALSE(round());
}

}  // namespace
}  // namespace orujo::internal::exchange
