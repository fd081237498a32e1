// The oracle of cliques against numbers known by hand.
#include "framework/verify/cliques_oracle.hpp"

#include <gtest/gtest.h>

namespace orujo::internal::verify {
namespace {

using counts = std::vector<std::uint64_t>;

//   a clique of 0, 1, 2, 3 that shares the edge 2 - 3 with the triangle 2, 3, 4; 4 - 5 and a loop
TEST(cliques_oracle, counts_at_each_vertex) {
  const simple_graph graph = simple_graph(
      {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}, {3, 4}, {4, 2}, {5, 4}, {5, 5}, {0, 0}, {1, 0}},
      {.symmetrize = true});
  EXPECT_EQ(cliques(graph, 2), (counts{3, 3, 4, 4, 3, 1}));
  EXPECT_EQ(cliques(graph, 3), (counts{3, 3, 4, 4, 1, 0}));
  EXPECT_EQ(cliques(graph, 4), (counts{1, 1, 1, 1, 0, 0}));
  EXPECT_EQ(cliques(graph, 5), (counts{0, 0, 0, 0, 0, 0}));
}

TEST(cliques_oracle, of_a_complete_graph_counts_choices) {
  std::vector<edge> edges;
  for (std::uint64_t u = 0; u < 8; ++u) {
    for (std::uint64_t v = 0; v < u; ++v) edges.push_back({u, v});
  }
  EXPECT_EQ(cliques(simple_graph(edges, {.symmetrize = true}), 5), counts(8, 35));
  EXPECT_EQ(cliques(simple_graph(edges, {.symmetrize = true}), 8), counts(8, 1));
}

TEST(cliques_oracle, of_graphs_without_edges_finds_none) {
  EXPECT_EQ(cliques(simple_graph({}, {.vertex_count = 3}), 3), counts(3, 0));
}

}  // namespace
}  // namespace orujo::internal::verify
