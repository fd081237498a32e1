// The oracle of hubs and authorities against scores known by hand.
#include "framework/verify/hits_oracle.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace orujo::internal::verify {
namespace {

void expect_hits(const std::vector<double>& scores, const std::vector<double>& expected) {
  ASSERT_EQ(scores.size(), expected.size());
  for (std::size_t v = 0; v < scores.size(); ++v) EXPECT_NEAR(scores[v], expected[v], 1e-15) << v;
}

//   1 -> 3, 1 -> 4, 2 -> 3
const simple_graph two_hubs({{1, 3}, {1, 4}, {2, 3}});

TEST(hits_oracle, begins_with_equal_scores) {
  const hits_scores scores = hits(two_hubs, 0);
  expect_hits(scores.hubs, {0.5, 0.5, 0.5, 0.5});
  expect_hits(scores.authorities, {0.5, 0.5, 0.5, 0.5});
}

// Authorities 2 and 1, and so hubs 3 and 2.
TEST(hits_oracle, sums_hubs_and_then_authorities) {
  const hits_scores scores = hits(two_hubs, 1);
  expect_hits(scores.authorities, {0, 0, 2 / std::sqrt(5), 1 / std::sqrt(5)});
  expect_hits(scores.hubs, {3 / std::sqrt(13), 2 / std::sqrt(13), 0, 0});
}

TEST(hits_oracle, knows_neither_without_edges) {
  const simple_graph isolated({}, {.vertex_count = 2});
  expect_hits(hits(isolated, 3).hubs, {0, 0});
  expect_hits(hits(isolated, 3).authorities, {0, 0});
}

}  // namespace
}  // namespace orujo::internal::verify
