#include "framework/verify/breadth_first_search_oracle.hpp"

#include <gtest/gtest.h>

namespace orujo::internal::verify {
namespace {

using numbers = std::vector<std::int64_t>;

//   10 -> 11 -> 12 -> 13     15 -> 10
//    |     ^     |
//    +---> 14 <--+           (14 -> 11)
simple_graph example() {
  return simple_graph({{10, 11}, {11, 12}, {12, 13}, {10, 14}, {14, 11}, {12, 14}, {15, 10}});
}
const numbers right_parents{0, 0, 1, 2, 0, -1};
const numbers right_levels{0, 1, 2, 3, 1, -1};

TEST(breadth_first_search_oracle, finds_the_levels_of_a_small_graph) {
  EXPECT_EQ(search_levels(example(), 0), right_levels);
  EXPECT_EQ(search_levels(example(), 3), (numbers{-1, -1, -1, 0, -1, -1}));
  EXPECT_EQ(search_levels(example(), 5), (numbers{1, 2, 3, 4, 2, 0}));
}

TEST(breadth_first_search_oracle, accepts_every_shortest_path_tree) {
  EXPECT_EQ(check_search(example(), 0, right_parents, right_levels), std::nullopt);
  //   0 -> 1 -> 3 and 0 -> 2 -> 3
  const simple_graph diamond({{0, 1}, {0, 2}, {1, 3}, {2, 3}});
  for (const std::int64_t parent : {1, 2})
    EXPECT_EQ(check_search(diamond, 0, numbers{0, 0, 0, parent}, numbers{0, 1, 1, 2}), std::nullopt);
}

void expect_refused(const numbers& parents, const numbers& levels, const std::string& why) {
  EXPECT_EQ(check_search(example(), 0, parents, levels).value_or("accepted"), why);
}

TEST(breadth_first_search_oracle, refuses_a_wrong_root) {
  expect_refused({1, 0, 1, 2, 0, -1}, right_levels, "vertex 10 is the source, but not its own parent");
  expect_refused(right_parents, {1, 1, 2, 3, 1, -1}, "vertex 10 is at level 0, not 1");
}

TEST(breadth_first_search_oracle, refuses_a_cycle) {
  expect_refused({0, 4, 1, 2, 2, -1}, right_levels, "vertex 11 is at level 1, its parent 14 at level 1");
}

TEST(breadth_first_search_oracle, refuses_an_edge_that_does_not_exist) {
  expect_refused({0, 0, 4, 2, 0, -1}, right_levels, "vertex 12 has no edge from its parent 14");
  expect_refused({0, 0, 1, 2, 3, -1}, right_levels, "vertex 14 has no edge from its parent 13");
}

TEST(breadth_first_search_oracle, refuses_a_skipped_level) {
  expect_refused({0, 4, 1, 2, 0, -1}, {0, 2, 3, 4, 1, -1}, "vertex 11 is at level 1, not 2");
}

TEST(breadth_first_search_oracle, refuses_to_reach_too_much_or_too_little) {
  expect_refused({0, 0, 1, 2, 0, 0}, right_levels, "vertex 15 cannot be reached, but has a parent");
  expect_refused({0, 0, 1, 2, 0, 0}, {0, 1, 2, 3, 1, 1}, "vertex 15 is at level -1, not 1");
  expect_refused({0, 0, 1, -1, 0, -1}, right_levels, "vertex 13 has no parent");
  expect_refused({0, 0, 1, -1, 0, -1}, {0, 1, 2, -1, 1, -1}, "vertex 13 is at level 3, not -1");
  expect_refused({0, 0, 1, 99, 0, -1}, right_levels, "vertex 13 has no parent");
}

}  // namespace
}  // namespace orujo::internal::verify
