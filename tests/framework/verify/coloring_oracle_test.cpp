// The colouring oracle against colours known by hand.
#include "framework/verify/coloring_oracle.hpp"

#include <gtest/gtest.h>

namespace orujo::internal::verify {
namespace {

using color_list = std::vector<std::int32_t>;
using tie_breakers = std::vector<std::uint64_t>;

//   1 - 2 - 3 - 4, and a vertex alone, with a loop: 5
const simple_graph colored_path({{1, 2}, {2, 3}, {3, 4}, {5, 5}}, {.symmetrize = true});

TEST(coloring_oracle, colors_by_degree_and_then_by_tie_breakers) {
  EXPECT_EQ(greedy_coloring(colored_path, tie_breakers{0, 1, 2, 3, 4}), (color_list{1, 0, 1, 0, 0}));
  EXPECT_EQ(greedy_coloring(colored_path, tie_breakers{0, 2, 1, 3, 4}), (color_list{0, 1, 0, 1, 0}));
}

// The order of a crown makes three colours of two:   1, 2, 3 and 4, 5, 6, each of which misses one
TEST(coloring_oracle, takes_the_smallest_colour_that_is_left) {
  const simple_graph crown({{1, 5}, {1, 6}, {2, 4}, {2, 6}, {3, 4}, {3, 5}}, {.symmetrize = true});
  EXPECT_EQ(greedy_coloring(crown, tie_breakers{0, 2, 4, 1, 3, 5}), (color_list{0, 1, 2, 0, 1, 2}));
}

TEST(coloring_oracle, counts_edges_between_equal_colors) {
  EXPECT_EQ(count_conflicts(colored_path, color_list{0, 1, 0, 1, 0}), 0u);
  EXPECT_EQ(count_conflicts(colored_path, color_list{0, 0, 0, 1, 0}), 4u);  // each edge is there both ways
}

}  // namespace
}  // namespace orujo::internal::verify
