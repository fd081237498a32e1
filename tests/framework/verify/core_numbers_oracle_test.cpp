// The core number oracle against core numbers known by hand.
#include "framework/verify/core_numbers_oracle.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace orujo::internal::verify {
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

//   0 -(5)- 1 -(5)- 2 -(5)- 0,   2 -(9)- 3,   3 -(2)- 4,   and 5 with a loop of 7
TEST(core_numbers_oracle, add_up_weights) {
  const std::vector<edge> edges = {{0, 1}, {1, 2}, {2, 0}, {2, 3}, {3, 4}, {5, 5}};
  const auto numbers = [&](const std::vector<float>& weights) {
    return weighted_core_numbers(simple_graph(edges, {.symmetrize = true}, weights)).numbers;
  };
  EXPECT_EQ(numbers({5, 5, 5, 9, 2, 7}), (std::vector<double>{10, 10, 10, 9, 2, 7}));
  EXPECT_EQ(numbers({0.5, 0.25, 0.25, 0, 0, 0}), (std::vector<double>{0.5, 0.5, 0.5, 0, 0, 0}));
  EXPECT_EQ(numbers({0, 0, 0, 0, 0, 0}), (std::vector<double>{0, 0, 0, 0, 0, 0}));
  EXPECT_EQ(numbers({}), (std::vector<double>{2, 2, 2, 1, 1, 1}));
  EXPECT_EQ(weighted_core_numbers(simple_graph({}, {.vertex_count = 2})).numbers,
            (std::vector<double>{0, 0}));
}

}  // namespace
}  // namespace orujo::internal::verify
