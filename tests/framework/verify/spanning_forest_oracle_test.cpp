// The oracle of minimum spanning forests against forests known by hand.
#include "framework/verify/spanning_forest_oracle.hpp"

#include <gtest/gtest.h>

namespace orujo::internal::verify {
namespace {

using forest = std::vector<plain_edge<float>>;

//   10 -1- 20 -2- 30     40 -5- 50     60
//     \____3____/
TEST(spanning_forest_oracle, leaves_out_the_heaviest_edge_of_a_cycle) {
  const simple_graph graph({{20, 10}, {20, 30}, {30, 10}, {40, 50}, {60, 60}}, {}, {1, 2, 3, 5, 0});
  EXPECT_EQ(minimum_spanning_forest(graph), (forest{{0, 1, 1}, {1, 2, 2}, {3, 4, 5}}));
}

//   0 - 1 - 2 - 0, all equal; 1 == 2 twice
TEST(spanning_forest_oracle, takes_the_smaller_ends_of_equal_edges) {
  EXPECT_EQ(minimum_spanning_forest(simple_graph({{1, 2}, {2, 1}, {2, 0}, {1, 0}})),
            (forest{{0, 1, 1}, {0, 2, 1}}));
  EXPECT_EQ(minimum_spanning_forest(simple_graph({{1, 2}, {2, 1}, {2, 0}}, {}, {4, -4, 3})),
            (forest{{0, 2, 3}, {1, 2, -4}}));
}

TEST(spanning_forest_oracle, of_graphs_without_edges_has_none) {
  EXPECT_EQ(minimum_spanning_forest(simple_graph({}, {.vertex_count = 3})), forest{});
}

}  // namespace
}  // namespace orujo::internal::verify
