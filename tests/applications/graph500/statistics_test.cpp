#include "applications/graph500/statistics.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace orujo::internal::graph500 {
namespace {

TEST(graph500_statistics, describes_values_in_any_order) {
  const statistics s = describe({7, 1, 4, 2, 6});  // sorted: 1 2 4 6 7
  EXPECT_EQ(s.minimum, 1);
  EXPECT_EQ(s.first_quartile, 2);
  EXPECT_EQ(s.median, 4);
  EXPECT_EQ(s.third_quartile, 6);
  EXPECT_EQ(s.maximum, 7);
  EXPECT_EQ(s.mean, 4);
  EXPECT_DOUBLE_EQ(s.standard_deviation, std::sqrt(26.0 / 4));
}

TEST(graph500_statistics, takes_quartiles_between_values_of_an_even_number) {
  const statistics s = describe({8, 7, 6, 5, 4, 3, 2, 1});
  EXPECT_EQ(s.first_quartile, 2.5);
  EXPECT_EQ(s.median, 4.5);
  EXPECT_EQ(s.third_quartile, 6.5);
}

TEST(graph500_statistics, takes_the_harmonic_mean_of_rates) {
  const statistics s = describe_rates({1, 2, 4});  // inverses: 1, 1/2, 1/4; their mean 7/12
  EXPECT_DOUBLE_EQ(s.mean, 12.0 / 7);
  const double squares = std::pow(5.0 / 12, 2) + std::pow(1.0 / 12, 2) + std::pow(4.0 / 12, 2);
  EXPECT_DOUBLE_EQ(s.standard_deviation, std::sqrt(squares) / 2 * 144 / 49);
  EXPECT_EQ(s.minimum, 1);
  EXPECT_EQ(s.median, 2);
}

TEST(graph500_statistics, describes_a_single_value) {
  EXPECT_EQ(describe({3}).mean, 3);
  EXPECT_EQ(describe({3}).third_quartile, 3);
  EXPECT_EQ(describe({3}).standard_deviation, 0);
  EXPECT_EQ(describe_rates({4}).mean, 4);
  EXPECT_EQ(describe_rates({4}).standard_deviation, 0);
}

}  // namespace
}  // namespace orujo::internal::graph500
