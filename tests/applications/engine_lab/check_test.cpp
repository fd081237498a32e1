// That the laboratory's checks find what is wrong.
#include "applications/engine_lab/check.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "applications/engine_lab/programs.hpp"
#include "framework/verify/pagerank_oracle.hpp"

namespace orujo::internal::engine_lab {
namespace {

//   0 - 1 - 2 - 3      4 - 5      6
//       |   |
//       +---+ (twice the same edge)
verify::simple_graph small() {
  return verify::simple_graph({{0, 1}, {1, 2}, {1, 2}, {2, 3}, {4, 5}},
                              {.vertex_count = 7, .symmetrize = true});
}
using numbers = std::vector<std::uint32_t>;

TEST(engine_lab_check, tells_right_components_from_wrong_ones) {
  EXPECT_TRUE(check_components(small(), numbers{0, 0, 0, 0, 4, 4, 6}).right);
  EXPECT_FALSE(check_components(small(), numbers{0, 0, 0, 0, 4, 4, 4}).right);
  EXPECT_FALSE(check_components(small(), numbers{0, 0, 0, 3, 4, 4, 6}).right);
  EXPECT_FALSE(check_components(small(), numbers{1, 1, 1, 1, 4, 4, 6}).right);
  EXPECT_FALSE(check_components(small(), numbers{0, 0, 0, 0, 4, 4}).right);
}

TEST(engine_lab_check, tells_right_parents_from_wrong_ones) {
  constexpr std::uint32_t none = no_parent;
  EXPECT_TRUE(check_bfs(small(), numbers{1, 1, 1, 2, none, none, none}, 1).right);
  EXPECT_FALSE(check_bfs(small(), numbers{1, 0, 1, 2, none, none, none}, 1).right) << "a root with a parent";
  EXPECT_FALSE(check_bfs(small(), numbers{1, 1, 1, 1, none, none, none}, 1).right) << "an edge that is none";
  EXPECT_FALSE(check_bfs(small(), numbers{1, 1, 3, 2, none, none, none}, 1).right) << "a cycle";
  EXPECT_FALSE(check_bfs(small(), numbers{1, 1, 1, none, none, none, none}, 1).right) << "one not reached";
  EXPECT_FALSE(check_bfs(small(), numbers{1, 1, 1, 2, 5, none, none}, 1).right) << "one that cannot be";
  EXPECT_FALSE(check_bfs(small(), numbers{1, 1, 1, 9, none, none, none}, 1).right) << "no vertex at all";
}

TEST(engine_lab_check, tells_right_ranks_from_wrong_ones) {
  const auto expected = verify::pagerank(small(), {0.85, 5, 0, verify::dangling_policy::ignore}).ranks;
  std::vector<float> ranks(expected.begin(), expected.end());
  EXPECT_TRUE(check_pagerank(small(), ranks, 5, 0.85).right);
  EXPECT_FALSE(check_pagerank(small(), ranks, 6, 0.85).right);
  ranks[6] *= 1.01f;
  EXPECT_FALSE(check_pagerank(small(), ranks, 5, 0.85).right);
}

}  // namespace
}  // namespace orujo::internal::engine_lab
