// The independent set oracle against sets known by hand.
#include "framework/verify/independent_set_oracle.hpp"

#include <gtest/gtest.h>

namespace orujo::internal::verify {
namespace {

using memberships = std::vector<std::uint32_t>;

//   1 - 2 - 3 - 4 - 5     and a vertex alone, with a loop: 6
const simple_graph path_and_loop({{1, 2}, {2, 3}, {3, 4}, {4, 5}, {6, 6}}, {.symmetrize = true});
memberships set_on_path(const std::vector<std::uint64_t>& priorities) {
  return greedy_independent_set(path_and_loop, priorities);
}

TEST(independent_set_oracle, takes_vertices_in_the_order_of_their_priorities) {
  EXPECT_EQ(set_on_path({1, 2, 3, 4, 5, 6}), (memberships{1, 0, 1, 0, 1, 1}));
  EXPECT_EQ(set_on_path({9, 0, 8, 7, 6, 5}), (memberships{0, 1, 0, 0, 1, 1}));
  EXPECT_EQ(set_on_path({2, 1, ~std::uint64_t{0}, 0, 3, 4}), (memberships{0, 1, 0, 1, 0, 1}));
}

TEST(independent_set_oracle, takes_one_of_a_clique) {
  const simple_graph clique({{1, 2}, {1, 3}, {2, 3}}, {.symmetrize = true});
  EXPECT_EQ(greedy_independent_set(clique, std::vector<std::uint64_t>{5, 3, 4}), (memberships{0, 1, 0}));
}

}  // namespace
}  // namespace orujo::internal::verify
