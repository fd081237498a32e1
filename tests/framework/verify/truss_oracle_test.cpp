// The oracle of truss numbers against trusses known by hand.
#include "framework/verify/truss_oracle.hpp"

#include <gtest/gtest.h>

namespace orujo::internal::verify {
namespace {

using values = std::vector<plain_edge<std::uint32_t>>;

//   a clique of 1, 2, 3, 4 that shares the edge 3 - 4 with the triangle 3, 4, 5; 5 - 6 is in none
TEST(truss_oracle, peels_a_triangle_from_a_clique) {
  const simple_graph graph = simple_graph(
      {{1, 2}, {1, 3}, {1, 4}, {2, 3}, {2, 4}, {3, 4}, {4, 5}, {5, 3}, {6, 5}, {6, 6}}, {.symmetrize = true});
  EXPECT_EQ(edge_supports(graph), (values{{0, 1, 2},
                                          {0, 2, 2},
                                          {0, 3, 2},
                                          {1, 2, 2},
                                          {1, 3, 2},
                                          {2, 3, 3},
                                          {2, 4, 1},
                                          {3, 4, 1},
                                          {4, 5, 0}}));
  EXPECT_EQ(truss_numbers(graph), (values{{0, 1, 4},
                                          {0, 2, 4},
                                          {0, 3, 4},
                                          {1, 2, 4},
                                          {1, 3, 4},
                                          {2, 3, 4},
                                          {2, 4, 3},
                                          {3, 4, 3},
                                          {4, 5, 2}}));
}

//   0 with a ring of 1 .. 5: every spoke is in two triangles, and still there is no 4-truss
TEST(truss_oracle, finds_no_truss_of_a_wheel_beyond_triangles) {
  const simple_graph graph = simple_graph(
      {{0, 1}, {0, 2}, {0, 3}, {0, 4}, {0, 5}, {1, 2}, {2, 3}, {3, 4}, {4, 5}, {5, 1}}, {.symmetrize = true});
  for (const auto& e : edge_supports(graph)) EXPECT_EQ(e.value, e.source == 0 ? 2u : 1u);
  for (const auto& e : truss_numbers(graph)) EXPECT_EQ(e.value, 3u);
}

TEST(truss_oracle, of_graphs_without_edges_has_none) {
  EXPECT_EQ(truss_numbers(simple_graph({}, {.vertex_count = 3})), values{});
  EXPECT_EQ(edge_supports(simple_graph({{5, 5}}, {.symmetrize = true})), values{});
}

}  // namespace
}  // namespace orujo::internal::verify
