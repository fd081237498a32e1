// The factorization oracle against errors computed by hand.
#include "framework/verify/matrix_factorization_oracle.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "system/base/random.hpp"

namespace orujo::internal::verify {
namespace {

// One rating of 4 between two vertices with one factor each: p and q change by
//   step / 4 * ((4 - p q) q - lambda p)   and the other way round.
TEST(factorization_oracle, follows_the_gradient_of_a_single_rating) {
  const simple_graph graph({{0, 1}}, {.symmetrize = true}, {4});
  const auto drawn = [](std::uint64_t k) {
    return 4 * static_cast<double>(mix64(k) >> 40) / static_cast<double>(1 << 24);
  };
  const double p = drawn(1), q = drawn(2);
  const double next_p = p + 0.5 / 4 * ((4 - p * q) * q - 0.25 * p);
  const double next_q = q + 0.5 / 4 * ((4 - p * q) * p - 0.25 * q);
  const std::vector<double> errors =
      factorization_errors(graph, {.factors = 1, .iterations = 1, .step = 0.5, .lambda = 0.25});
  ASSERT_EQ(errors.size(), 2u);
  EXPECT_NEAR(errors[0], std::abs(4 - p * q), 1e-12);
  EXPECT_NEAR(errors[1], std::abs(4 - next_p * next_q), 1e-12);
}

TEST(factorization_oracle, finds_ratings_that_are_products) {
  //   users 0, 1, 2 rate items 3, 4: (1, 2), (2, 4), (3, 6)
  const simple_graph graph({{0, 3}, {0, 4}, {1, 3}, {1, 4}, {2, 3}, {2, 4}}, {.symmetrize = true},
                           {1, 2, 2, 4, 3, 6});
  const std::vector<double> errors =
      factorization_errors(graph, {.factors = 4, .iterations = 2000, .step = 0.2, .lambda = 0});
  EXPECT_GT(errors.front(), 0.5);
  EXPECT_LT(errors.back(), 1e-6);
}

TEST(factorization_oracle, has_nothing_to_say_without_edges) {
  EXPECT_TRUE(factorization_errors(simple_graph({}, {.vertex_count = 3}), {}).empty());
}

}  // namespace
}  // namespace orujo::internal::verify
