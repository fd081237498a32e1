#include "framework/verify/betweenness_oracle.hpp"

#include <gtest/gtest.h>

namespace orujo::verify {
namespace {

//        1
//      /   \           a path of two ways, symmetrized
//   0        3 --- 4
//      \   /
//        2
TEST(betweenness_oracle, shares_paths_among_ways) {
  const simple_graph graph({{0, 1}, {0, 2}, {1, 3}, {2, 3}, {3, 4}}, {.symmetrize = true});
  const std::size_t all[] = {0, 1, 2, 3, 4};
  // 0: between 1 and 2, half of the paths, both ways; 1 and 2: half of 0-3 and 0-4; 3: 4 with all, half of
  // 1-2
  EXPECT_EQ(betweenness(graph, all), (std::vector<double>{1, 2, 2, 7, 0}));
  EXPECT_EQ(betweenness(graph, std::span(all).first(1)), (std::vector<double>{0, 1, 1, 1, 0}));
}

TEST(betweenness_oracle, follows_directions_and_counts_parallel_edges) {
  //   0 ==> 1 -> 3,  0 -> 2 -> 3 -> 4,  5
  const simple_graph graph({{0, 1}, {0, 1}, {1, 3}, {0, 2}, {2, 3}, {3, 4}}, {.vertex_count = 6});
  const std::size_t source[] = {0};
  const std::vector<double> found = betweenness(graph, source);
  EXPECT_DOUBLE_EQ(found[1], 4.0 / 3);
  EXPECT_DOUBLE_EQ(found[2], 2.0 / 3);
  EXPECT_DOUBLE_EQ(found[3], 1);
  EXPECT_EQ(found[0] + found[4] + found[5], 0);
}

}  // namespace
}  // namespace orujo::verify
