// The oracle of strongly connected components against components known by hand.
#include "framework/verify/strong_components_oracle.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace orujo::internal::verify {
namespace {

using labels = std::vector<std::uint64_t>;

//   9 -> 3 <- 5     7 <-> 20 -> 3     8 loops to itself
TEST(strong_components_oracle, names_components_by_their_smallest_id) {
  const simple_graph graph({{9, 3}, {5, 3}, {7, 20}, {20, 7}, {20, 3}, {8, 8}});
  EXPECT_EQ(graph.ids(), (labels{3, 5, 7, 8, 9, 20}));
  EXPECT_EQ(strongly_connected_components(graph), (labels{3, 5, 7, 8, 9, 7}));
}

//   4 -> 2 -> 3 -> 4     3 -> 1 <-> 0, with parallel edges
TEST(strong_components_oracle, keeps_cycles_apart_that_an_edge_leads_between) {
  const simple_graph graph({{4, 2}, {2, 3}, {3, 4}, {3, 1}, {3, 1}, {1, 0}, {0, 1}});
  EXPECT_EQ(strongly_connected_components(graph), (labels{0, 0, 2, 2, 2}));
}

TEST(strong_components_oracle, leaves_isolated_vertices_alone) {
  EXPECT_EQ(strongly_connected_components(simple_graph({{1, 3}}, {.vertex_count = 4})), (labels{0, 1, 2, 3}));
  EXPECT_EQ(strongly_connected_components(simple_graph({}, {.vertex_count = 0})), labels{});
}

}  // namespace
}  // namespace orujo::internal::verify
