#include "applications/layout_lab/search_tree.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "system/machine/huge_array.hpp"

namespace orujo::internal::layout_lab {
namespace {

constexpr auto small_pages = machine::pages::small;

TEST(search_tree, by_van_emde_boas_is_as_drawn) {
  //                 1                 places: the upper two levels, then the four trees of three below
  //          2             3                     0
  //       4     5       6     7             1         2
  //      8 9  10 11   12 13 14 15        3    6     9    12
  //                                     4 5  7 8  10 11 13 14
  EXPECT_EQ(van_emde_boas_places(4),
            (std::vector<std::uint32_t>{0, 1, 2, 3, 6, 9, 12, 4, 5, 7, 8, 10, 11, 13, 14}));
  EXPECT_EQ(van_emde_boas_places(1), (std::vector<std::uint32_t>{0}));
  EXPECT_EQ(depth_first_places(3), (std::vector<std::uint32_t>{0, 1, 4, 2, 3, 5, 6}));
}

TEST(search_tree, of_any_layout_finds_every_key_in_as_many_steps) {
  const std::size_t levels[] = {64, 1024};
  for (int depth = 1; depth <= 10; ++depth) {
    for (const arrangement how : {arrangement::pseudorandom, arrangement::bfs, arrangement::dfs,
                                  arrangement::veb, arrangement::blocks}) {
      const search_tree tree(depth, how, levels, small_pages);
      std::vector<std::uint64_t> keys = tree.keys();
      std::sort(keys.begin(), keys.end());
      const std::uint64_t count = (std::uint64_t{1} << depth) - 1;
      ASSERT_EQ(keys.size(), count);
      for (std::uint64_t key = 1; key <= count; ++key) {
        ASSERT_EQ(keys[key - 1], key);
        // The root's key is 2^(depth - 1), and every level below halves the steps between keys.
        int level = 0;
        while (key % (std::uint64_t{1} << (depth - 1 - level)) != 0) ++level;
        EXPECT_EQ(tree.visits(key), static_cast<std::uint64_t>(level + 1)) << "key " << key;
      }
      EXPECT_EQ(tree.visits(count + 1), static_cast<std::uint64_t>(depth)) << "not there";
    }
  }
}

TEST(search_tree, in_blocks_begins_with_the_subtree_at_the_root) {
  // 72 bytes are three nodes.
  const std::size_t levels[] = {72};
  const std::vector<std::uint64_t> keys = search_tree(4, arrangement::blocks, levels, small_pages).keys();
  EXPECT_EQ(std::vector<std::uint64_t>(keys.begin(), keys.begin() + 6),
            (std::vector<std::uint64_t>{8, 4, 12, 2, 1, 3}));
}

}  // namespace
}  // namespace orujo::internal::layout_lab
