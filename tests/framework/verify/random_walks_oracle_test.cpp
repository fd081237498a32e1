// The oracle of random walks on graphs that leave them no choice, or of which the shares are known.
#include "framework/verify/random_walks_oracle.hpp"

#include <gtest/gtest.h>

#include <numeric>

namespace orujo::verify {
namespace {

using visit_counts = std::vector<std::uint64_t>;

//   1 -> 2 -> 3 -> 4
const simple_graph walked_path({{1, 2}, {2, 3}, {3, 4}});

TEST(random_walks_oracle, follows_edges_until_there_are_none_or_the_walk_is_over) {
  EXPECT_EQ(count_visits(walked_path, {.per_vertex = 1, .length = 0}), (visit_counts{1, 1, 1, 1}));
  EXPECT_EQ(count_visits(walked_path, {.per_vertex = 2, .length = 1}), (visit_counts{2, 4, 4, 4}));
  EXPECT_EQ(count_visits(walked_path, {.per_vertex = 1, .length = 9}), (visit_counts{1, 2, 3, 4}));
}

//   1 -> 2, 1 -> 3 (twice), and back
TEST(random_walks_oracle, takes_every_edge_as_often_as_others) {
  const simple_graph fork({{1, 2}, {1, 3}, {1, 3}, {2, 1}, {3, 1}});
  const visit_counts visits = count_visits(fork, {.walks = 30'000, .length = 1, .seed = 5});
  EXPECT_EQ(std::accumulate(visits.begin(), visits.end(), std::uint64_t{0}), 60'000u);
  // A third begins at each; from 1 a third goes to 2, and from 2 and 3 all go to 1.
  EXPECT_NEAR(static_cast<double>(visits[0]), 30'000, 600);
  EXPECT_NEAR(static_cast<double>(visits[1]), 13'333, 600);
  EXPECT_NEAR(static_cast<double>(visits[2]), 16'667, 600);
}

}  // namespace
}  // namespace orujo::verify
