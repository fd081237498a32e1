#include "framework/verify/triangles_oracle.hpp"

#include <gtest/gtest.h>

namespace orujo::internal::verify {
namespace {

using counts = std::vector<std::uint64_t>;

//   0 --- 1 --- 4     5
//   | \ / |
//   | / \ |
//   2 --- 3           and a self-loop at 1
TEST(triangles_oracle, counts_each_triangle_at_its_three_vertices) {
  const simple_graph graph({{0, 1}, {1, 0}, {2, 0}, {0, 3}, {1, 2}, {3, 1}, {2, 3}, {1, 4}, {1, 1}},
                           {.vertex_count = 6, .symmetrize = true});
  EXPECT_EQ(triangles(graph), (counts{3, 3, 3, 3, 0, 0}));
}

//   0 --- 1 --- 4     5
//   |   / |
//   | /   |
//   2     3           and a self-loop at 1
TEST(triangles_oracle, finds_the_share_of_neighbours_that_are_neighbours) {
  const simple_graph graph({{0, 1}, {2, 0}, {1, 2}, {3, 1}, {1, 4}, {1, 1}},
                           {.vertex_count = 6, .symmetrize = true});
  EXPECT_EQ(clustering_coefficients(graph), (std::vector<double>{1, 1.0 / 6, 1, 0, 0, 0}));
}

//   0 -(8)- 1 -(8)- 2 -(1)- 0,   2 -(1)- 3,   and a self-loop at 3
TEST(triangles_oracle, weighs_a_triangle_by_its_geometric_mean_over_the_largest_weight) {
  const std::vector<edge> edges = {{0, 1}, {1, 2}, {2, 0}, {2, 3}, {3, 3}};
  const auto expect = [&](const std::vector<float>& weights, const std::vector<double>& expected) {
    const auto found = weighted_clustering_coefficients(simple_graph(edges, {.symmetrize = true}, weights));
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t v = 0; v < found.size(); ++v) EXPECT_DOUBLE_EQ(found[v], expected[v]) << v;
  };
  expect({8, 8, 1, 1, 2}, {0.5, 0.5, 0.5 / 3, 0});
  expect({8, 8, 1, 1, 16}, {0.25, 0.25, 0.25 / 3, 0});
  expect({0, 8, 1, 1, 1}, {0, 0, 0, 0});
  expect({0, 0, 0, 0, 0}, {0, 0, 0, 0});
  expect({}, {1, 1, 1. / 3, 0});
}

TEST(triangles_oracle, counts_none_in_a_square) {
  const simple_graph graph({{0, 1}, {1, 2}, {2, 3}, {3, 0}}, {.symmetrize = true});
  EXPECT_EQ(triangles(graph), (counts{0, 0, 0, 0}));
}

}  // namespace
}  // namespace orujo::internal::verify
