#include "framework/verify/spectral_centrality_oracle.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace orujo::internal::verify {
namespace {

using scores = std::vector<double>;

// 0 leads to 1 by weight 2, and 1 to 2 by weight 3:   0 -> 1 -> 2
const simple_graph chain({{0, 1}, {1, 2}}, {}, {2, 3});

TEST(spectral_centrality_oracle, sums_walks_by_their_weights) {
  EXPECT_EQ(katz_scores(chain, 0.5, 1, false, 1), (scores{1, 1, 1}));
  EXPECT_EQ(katz_scores(chain, 0.5, 1, false, 2), (scores{1, 2, 2.5}));
  EXPECT_EQ(katz_scores(chain, 0.5, 2, false, 9), (scores{2, 4, 8}));
  EXPECT_EQ(katz_scores(simple_graph({{0, 1}, {0, 1}}), 0.25, 1, false, 9), (scores{1, 1.5}));
}

TEST(spectral_centrality_oracle, normalizes) {
  const scores found = katz_scores(chain, 0.5, 7, true, 3);
  EXPECT_NEAR(found[0], 1 / std::sqrt(1 + 4 + 16), 1e-15);
  EXPECT_NEAR(found[2], 4 / std::sqrt(1 + 4 + 16), 1e-15);
}

// After one step the walks are (1, 1 + 2, 1 + 3).
TEST(spectral_centrality_oracle, steps_along_edges_or_stays) {
  const scores found = eigenvector_scores(chain, 1);
  EXPECT_NEAR(found[0], 1 / std::sqrt(26), 1e-15);
  EXPECT_NEAR(found[1], 3 / std::sqrt(26), 1e-15);
  EXPECT_NEAR(found[2], 4 / std::sqrt(26), 1e-15);
  EXPECT_TRUE(eigenvector_scores(simple_graph({}, {.vertex_count = 0}), 3).empty());
}

}  // namespace
}  // namespace orujo::internal::verify
