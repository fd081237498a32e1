#include "applications/uts/tree.hpp"
#include "tests/sanitized.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

namespace orujo::internal::uts {
namespace {

// Bit by bit those of the benchmark: one wrong digest, and sizes are others.
TEST(uts_tree, has_the_published_sizes) {
  for (const sample_tree& sample : sample_trees()) {
    if (sample.published.nodes > (sanitized ? 500'000 : 10'000'000)) continue;  // uts --verify searches them
    EXPECT_EQ(search_serially(sample.of), sample.published) << sample.name;
  }
}

TEST(uts_tree, ends_at_its_depth_and_may_be_a_root_alone) {
  EXPECT_EQ(search_serially({.root_children = 0}), (sums{1, 1, 0}));
  EXPECT_EQ(search_serially({.family = family::binomial, .root_children = 0}), (sums{1, 1, 0}));
  const sums never = search_serially({.family = family::binomial, .root_children = 7, .probability = 0});
  EXPECT_EQ(never, (sums{8, 7, 1}));
  for (std::uint32_t depth = 1; depth < 6; ++depth) {
    EXPECT_LE(search_serially({.root_children = 4, .max_depth = depth}).depth, depth);
    EXPECT_LE(search_serially({.family = family::geometric_linear, .max_depth = depth}).depth, depth);
  }
}

TEST(uts_tree, counts_each_node_with_its_children) {
  const tree t;
  std::vector<node> open{t.root()};
  sums counted;
  std::uint64_t known = 1;
  for (int k = 0; k < 100 && !open.empty(); ++k) {
    known += t.children_of(open.back());
    expand(t, open, counted);
    EXPECT_EQ(counted.nodes + open.size(), known);
  }
}

}  // namespace
}  // namespace orujo::internal::uts
