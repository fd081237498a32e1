#include "applications/layout_lab/live_tree.hpp"

#include <gtest/gtest.h>

#include <set>

#include "system/base/random.hpp"

namespace orujo::internal::layout_lab {
namespace {

TEST(live_tree, has_the_keys_that_came_and_did_not_leave) {
  const std::vector<std::size_t> levels[] = {{}, {64, 1024}};
  for (const auto& blocks : levels) {
    random_stream random(11);
    live_tree tree(600, machine::pages::small);
    std::set<std::uint64_t> expected;
    for (int round = 0; round < 40; ++round) {
      for (int k = 0; k < 100; ++k) {
        const std::uint64_t key = random.below(500);
        EXPECT_EQ(tree.erase(key), expected.erase(key) == 1);
        if (random.below(3) == 0) continue;
        ASSERT_TRUE(tree.insert(key));
        expected.insert(key);
      }
      EXPECT_EQ(tree.keys(), std::vector<std::uint64_t>(expected.begin(), expected.end()));
      std::vector<std::uint64_t> visits, after;
      for (std::uint64_t key = 0; key < 500; ++key) visits.push_back(tree.visits(key));
      tree.flip(blocks);
      EXPECT_EQ(tree.nodes_in_use(), expected.size());
      for (std::uint64_t key = 0; key < 500; ++key) after.push_back(tree.visits(key));
      EXPECT_EQ(visits, after) << "a flip moves nodes, and changes no tree";
    }
  }
  live_tree small(2, machine::pages::small);
  EXPECT_TRUE(small.insert(1) && small.insert(2) && !small.insert(3));
  EXPECT_TRUE(small.erase(1));
  EXPECT_FALSE(small.insert(3)) << "room comes back at a flip only";
  small.flip({});
  EXPECT_TRUE(small.insert(3));
}

}  // namespace
}  // namespace orujo::internal::layout_lab
