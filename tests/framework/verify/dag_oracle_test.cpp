// The oracle of levels against levels known by hand.
#include "framework/verify/dag_oracle.hpp"

#include <gtest/gtest.h>

namespace orujo::internal::verify {
namespace {

using levels = std::vector<std::uint64_t>;

//   0 -> 1 -> 3 -> 4     0 -> 3, 2 -> 4 twice     5
TEST(dag_oracle, counts_the_edges_of_longest_paths) {
  EXPECT_EQ(dag_levels(simple_graph({{0, 1}, {1, 3}, {3, 4}, {0, 3}, {2, 4}, {2, 4}}, {.vertex_count = 6})),
            (levels{0, 1, 0, 2, 3, 0}));
}

TEST(dag_oracle, has_no_levels_of_a_graph_with_a_cycle) {
  EXPECT_FALSE(dag_levels(simple_graph({{0, 1}, {1, 2}, {2, 1}})));
  EXPECT_FALSE(dag_levels(simple_graph({{3, 3}})));
  EXPECT_TRUE(dag_levels(simple_graph({{0, 1}, {0, 2}, {1, 3}, {2, 3}})));
}

TEST(dag_oracle, has_level_0_of_vertices_without_edges) {
  EXPECT_EQ(dag_levels(simple_graph({}, {.vertex_count = 2})), (levels{0, 0}));
}

}  // namespace
}  // namespace orujo::internal::verify
