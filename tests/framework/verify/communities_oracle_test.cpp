// The oracle of communities against qualities computed by hand.
#include "framework/verify/communities_oracle.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace orujo::internal::verify {
namespace {

using labels = std::vector<std::uint64_t>;

//   0           4
//   | \       / |
//   |  2 --- 3  |
//   | /       \ |
//   1           5
const simple_graph& two_triangles() {
  static const simple_graph graph({{0, 1}, {1, 2}, {2, 0}, {2, 3}, {3, 4}, {4, 5}, {5, 3}},
                                  {.symmetrize = true});
  return graph;
}

// 2m is 14. A triangle has 6 of it inside, and 7 in all.
TEST(communities_oracle, computes_modularity) {
  EXPECT_NEAR(partition_quality(two_triangles(), labels{0, 0, 0, 3, 3, 3}), 12.0 / 14 - 2 * 49.0 / 196,
              1e-12);
  EXPECT_NEAR(partition_quality(two_triangles(), labels{0, 0, 0, 0, 0, 0}), 0, 1e-12);
  EXPECT_NEAR(partition_quality(two_triangles(), labels{0, 0, 0, 3, 3, 3}, {.resolution = 0.5}),
              12.0 / 14 - 49.0 / 196, 1e-12);
}

TEST(communities_oracle, computes_the_constant_potts_model) {
  EXPECT_NEAR(
      partition_quality(two_triangles(), labels{0, 0, 0, 3, 3, 3}, {.potts = true, .resolution = 0.25}),
      (12 - 0.25 * 18) / 14, 1e-12);
}

//   0 -(2)- 1, a loop of weight 3 at 1:     2m = 4 + 6, and vertex 1 has 8 of it
TEST(communities_oracle, counts_loops_at_both_ends) {
  const simple_graph graph({{0, 1}, {1, 1}}, {.symmetrize = true}, {2, 3});
  EXPECT_NEAR(partition_quality(graph, labels{0, 1}), 6.0 / 10 - (4 + 64) / 100.0, 1e-12);
  EXPECT_NEAR(partition_quality(graph, labels{0, 0}), 0, 1e-12);
}

TEST(communities_oracle, has_no_quality_without_edges) {
  EXPECT_EQ(partition_quality(simple_graph({}, {.vertex_count = 3}), labels{0, 1, 2}), 0);
  EXPECT_EQ(louvain(simple_graph({}, {.vertex_count = 2})).size(), 2u);
}

TEST(communities_oracle, sees_communities_that_are_not_connected) {
  EXPECT_EQ(split_communities(two_triangles(), labels{0, 0, 0, 3, 3, 3}), 0u);
  EXPECT_EQ(split_communities(two_triangles(), labels{0, 1, 0, 0, 4, 4}), 0u);
  EXPECT_EQ(split_communities(two_triangles(), labels{0, 0, 2, 3, 0, 0}), 1u);
  EXPECT_EQ(split_communities(two_triangles(), labels{0, 1, 0, 1, 1, 0}), 2u);
}

TEST(communities_oracle, finds_triangles) {
  const labels found = louvain(two_triangles());
  EXPECT_EQ(found[0], found[1]);
  EXPECT_EQ(found[0], found[2]);
  EXPECT_NE(found[0], found[3]);
  EXPECT_EQ(found[3], found[4]);
  EXPECT_EQ(found[3], found[5]);
}

TEST(community_check, refuses_what_is_wrong) {
  const std::vector<std::uint64_t> ids = {0, 1, 2, 3, 4, 5};
  const double quality = 12.0 / 14 - 2 * 49.0 / 196;
  const labels good{0, 0, 0, 3, 3, 3}, split{0, 3, 0, 3, 3, 3}, alone{0, 1, 2, 3, 4, 5};
  EXPECT_TRUE(community_check(two_triangles(), ids, good, {}, quality, true).agrees());
  EXPECT_FALSE(community_check(two_triangles(), ids, good, {}, quality + 0.001, true).agrees());
  const double of_split = partition_quality(two_triangles(), split);
  EXPECT_NE(community_check(two_triangles(), ids, split, {}, of_split, true).describe().find("not connected"),
            std::string::npos);
  const double of_alone = partition_quality(two_triangles(), alone);
  EXPECT_NE(
      community_check(two_triangles(), ids, alone, {}, of_alone, true).describe().find("serial Louvain"),
      std::string::npos);
  const std::vector<std::uint64_t> other_ids = {0, 1, 2, 3, 4, 6};
  EXPECT_FALSE(community_check(two_triangles(), other_ids, good, {}, quality, true).agrees());
}

}  // namespace
}  // namespace orujo::internal::verify
