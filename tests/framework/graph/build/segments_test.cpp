#include "framework/graph/build/segments.hpp"

#include <gtest/gtest.h>

#include "tests/framework/row_store.hpp"

namespace orujo::internal::graph {
namespace {

using bounds = std::vector<std::uint32_t>;

TEST(segments, cut_evenly) {
  EXPECT_EQ(cut_sources(10, 0, 1), (bounds{0, 10}));
  EXPECT_EQ(cut_sources(10, 0, 3), (bounds{0, 3, 6, 10}));
  EXPECT_EQ(cut_sources(2, 0, 5), (bounds{0, 1, 2}));
  EXPECT_EQ(cut_sources(0, 0, 4), (bounds{0, 0}));
}

TEST(segments, keep_own_vertices_and_mirrors_apart) {
  EXPECT_EQ(cut_sources(10, 5, 1), (bounds{0, 15}));
  EXPECT_EQ(cut_sources(10, 5, 2), (bounds{0, 10, 15}));
  EXPECT_EQ(cut_sources(10, 5, 3), (bounds{0, 5, 10, 15}));
  EXPECT_EQ(cut_sources(0, 6, 3), (bounds{0, 2, 4, 6}));
  EXPECT_EQ(cut_sources(1, 6, 2), (bounds{0, 1, 7}));
  for (std::size_t segments = 2; segments < 40; ++segments) {
    const bounds cut = cut_sources(17, 9, segments);
    EXPECT_LE(cut.size() - 1, segments);
    EXPECT_NE(std::find(cut.begin(), cut.end(), 17u), cut.end()) << segments;
    EXPECT_EQ(cut.back(), 26u);
    EXPECT_EQ(std::adjacent_find(cut.begin(), cut.end(), std::greater_equal<>()), cut.end());
  }
}

//   mirrors of peers   | 0 .. 4 | 5 | 6 .. 12 | 13 .. 19 |
TEST(segments, begin_with_a_peers_mirrors_where_one_is_near) {
  const bounds peers{5, 6, 13, 20};
  EXPECT_EQ(cut_sources(10, 20, 2, peers), (bounds{0, 10, 30}));
  EXPECT_EQ(cut_sources(10, 20, 3, peers), (bounds{0, 10, 23, 30}));  // even: 20, where 16 is as far
  EXPECT_EQ(cut_sources(10, 20, 4, peers), (bounds{0, 5, 10, 23, 30}));
  EXPECT_EQ(cut_sources(7, 21, 4, bounds{6, 13, 21}), (bounds{0, 7, 13, 20, 28}));
  EXPECT_EQ(cut_sources(0, 20, 2, bounds{1, 20}), (bounds{0, 10, 20}));  // too far
  EXPECT_EQ(cut_sources(0, 20, 4, bounds{9, 20}), (bounds{0, 5, 9, 15, 20}));
}

TEST(segments, count_the_pieces_of_rows) {
  test_graphs::row_store store;
  const auto add = [&](std::vector<std::uint32_t> row) {
    std::size_t next = 0;
    store.add_vertex(row.size(), [&] { return row[next++]; });
  };
  add({0, 1, 9});  // segments 0 and 2
  add({});
  add({4, 4, 4});
  add({0, 3, 6, 9});
  const bounds cut{0, 3, 6, 10};
  EXPECT_EQ(count_pieces(store.rows(0, 4), cut), 2u + 0 + 1 + 3);
  EXPECT_EQ(count_pieces(store.rows(2, 3), cut), 1u);
  EXPECT_EQ(count_pieces(in_edge_rows{}, cut), 0u);
}

}  // namespace
}  // namespace orujo::internal::graph
