// The core number oracle against core numbers known by hand.
#include "framework/verify/core_numbers_oracle.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace orujo::verify {
namespace {

using core_list = std::vector<std::uint32_t>;

core_list of(std::vector<edge> edges, std::uint64_t vertices) {
  return core_numbers(simple_graph(std::move(edges), {.vertex_count = vertices, .symmetrize = true}));
}

//   0 - 1
//   | X |     4 hangs on the clique, 5 on 4; 6 is alone
//   2 - 3 - 4 - 5
TEST(core_numbers_oracle, are_those_of_a_clique_with_a_tail) {
  EXPECT_EQ(of({{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}, {3, 4}, {4, 5}}, 7),
            (core_list{3, 3, 3, 3, 1, 1, 0}));
}

// Two triangles joined by a path: its vertices have degree 2 and hold together with what they join.
TEST(core_numbers_oracle, count_paths_between_cycles) {
  EXPECT_EQ(of({{0, 1}, {1, 2}, {2, 0}, {2, 3}, {3, 4}, {4, 5}, {5, 6}, {6, 4}}, 7),
            (core_list{2, 2, 2, 2, 2, 2, 2}));
}

TEST(core_numbers_oracle, are_one_in_stars_and_one_for_a_loop) {
  EXPECT_EQ(of({{0, 1}, {0, 2}, {0, 3}, {4, 4}}, 5), (core_list{1, 1, 1, 1, 1}));
  EXPECT_EQ(of({}, 0), core_list{});
}

}  // namespace
}  // namespace orujo::verify
