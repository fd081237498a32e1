// The components oracle against components known by hand.
#include "framework/verify/connected_components_oracle.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace orujo::internal::verify {
namespace {

using labels = std::vector<std::uint64_t>;

//   9 --> 3 <-- 5     7 <-> 20     8 loops to itself
const std::vector<edge> three_components = {{9, 3}, {5, 3}, {7, 20}, {20, 7}, {8, 8}};

TEST(connected_components_oracle, names_components_by_their_smallest_id) {
  const simple_graph graph(three_components);
  EXPECT_EQ(graph.ids(), (labels{3, 5, 7, 8, 9, 20}));
  EXPECT_EQ(connected_components(graph), (labels{3, 3, 7, 8, 3, 7}));
}

TEST(connected_components_oracle, ignores_directions_parallel_edges_and_order) {
  const simple_graph chain({{4, 3}, {1, 2}, {3, 2}, {0, 1}, {4, 3}});
  EXPECT_EQ(connected_components(chain), (labels{0, 0, 0, 0, 0}));
}

TEST(connected_components_oracle, leaves_isolated_vertices_alone) {
  EXPECT_EQ(connected_components(simple_graph({{1, 3}}, {.vertex_count = 5})), (labels{0, 1, 2, 1, 4}));
  EXPECT_EQ(connected_components(simple_graph({}, {.vertex_count = 0})), labels{});
}

}  // namespace
}  // namespace orujo::internal::verify
