// The oracle of similarities against values known by hand.
#include "framework/verify/similarity_oracle.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

namespace orujo::internal::verify {
namespace {

using pairs = std::vector<std::pair<std::size_t, std::size_t>>;

//   0 and 1 share 2 and 3; 0 has 4 as well, 3 has 5 and a loop
const simple_graph& square_with_tails() {
  static const simple_graph graph =
      simple_graph({{0, 2}, {0, 3}, {1, 2}, {1, 3}, {0, 4}, {3, 5}, {3, 3}, {3, 0}}, {.symmetrize = true});
  return graph;
}

TEST(similarity_oracle, knows_each_measure) {
  const std::map<std::string, double> expected = {{"common_neighbours", 2},
                                                  {"jaccard", 2. / 3},
                                                  {"cosine", 2 / std::sqrt(6.)},
                                                  {"overlap", 1},
                                                  {"adamic_adar", 1 / std::log(2.) + 1 / std::log(3.)},
                                                  {"resource_allocation", 5. / 6},
                                                  {"preferential_attachment", 6}};
  for (const auto& [measure, value] : expected) {
    const auto found = similarities(square_with_tails(), measure, {{1, 0}});
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].source, 1u);
    EXPECT_EQ(found[0].target, 0u);
    EXPECT_DOUBLE_EQ(found[0].value, value) << measure;
  }
}

TEST(similarity_oracle, finds_ends_of_edges_alike_only_by_third_vertices) {
  for (const auto& e : similarities(square_with_tails(), "jaccard")) EXPECT_EQ(e.value, 0);
  const auto triangle =
      similarities(simple_graph({{0, 1}, {1, 2}, {2, 0}, {2, 2}}, {.symmetrize = true}), "jaccard");
  ASSERT_EQ(triangle.size(), 3u);
  for (const auto& e : triangle) {
    EXPECT_LT(e.source, e.target);
    EXPECT_DOUBLE_EQ(e.value, 1. / 3);
  }
}

TEST(similarity_oracle, sorts_pairs_and_keeps_repeated_ones) {
  const auto found = similarities(square_with_tails(), "adamic_adar", {{4, 4}, {0, 1}, {5, 5}, {0, 1}});
  ASSERT_EQ(found.size(), 4u);
  EXPECT_EQ(found[0], found[1]);
  EXPECT_DOUBLE_EQ(found[2].value, 1 / std::log(3.));  // of 4, by 0
  EXPECT_DOUBLE_EQ(found[3].value, 1 / std::log(3.));
  const auto alone = similarities(simple_graph({{0, 1}}, {.symmetrize = true}), "adamic_adar", {{1, 1}});
  EXPECT_EQ(alone[0].value, 0);  // 0 has no other neighbour
}

}  // namespace
}  // namespace orujo::internal::verify
