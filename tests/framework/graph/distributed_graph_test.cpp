#include "framework/graph/distributed_graph.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <initializer_list>
#include <vector>

namespace orujo::internal::graph {
namespace {

//   number  0 1 2 3 4 5 6 7 8 9
//               m   own   m   m     of a locale: vertices 4, 5 and 6, and mirrors of 2, 7 and 9
locale_graph part_of_ten() {
  locale_graph g;
  g.vertices = 10;
  g.first_vertex = 4;
  g.own = 3;
  g.mirrored = {2, 7, 9};
  g.mirrors = 3;
  return g;
}

TEST(locale_graph, finds_vertices_by_number) {
  const locale_graph g = part_of_ten();
  for (std::uint32_t local = 0; local < g.own + g.mirrors; ++local)
    EXPECT_EQ(g.local_of(g.number_of(local)), local);
  for (const std::uint64_t elsewhere : {0u, 1u, 3u, 8u, 10u}) EXPECT_EQ(g.local_of(elsewhere), std::nullopt);
  EXPECT_EQ(g.local_of(~std::uint64_t{0}), std::nullopt);
}

TEST(locale_graph, counts_the_mirrors_before_a_number) {
  const locale_graph g = part_of_ten();
  const std::vector<std::uint32_t> before{0, 0, 0, 1, 1, 1, 1, 1, 2, 2, 3};
  for (std::uint64_t number = 0; number < before.size(); ++number)
    EXPECT_EQ(g.mirrors_before(number), before[number]) << number;
}

template <class T>
machine::huge_array<T> array_of(std::initializer_list<T> values) {
  machine::huge_array<T> made(values.size());
  std::ranges::copy(values, made.begin());
  return made;
}

// The row of vertex 4 alone.
adjacency row_of(std::initializer_list<std::uint32_t> neighbours) {
  adjacency rows;
  rows.offsets = array_of<std::uint64_t>({0, neighbours.size(), neighbours.size(), neighbours.size()});
  rows.neighbours = array_of(neighbours);
  return rows;
}

TEST(locale_graph, has_rows_that_ascend_by_number) {
  const locale_graph g = part_of_ten();
  const core_part all{0, 3, {}};
  EXPECT_TRUE(rows_ascend(g, row_of({3, 0, 0, 2, 4, 5}), all));
  EXPECT_FALSE(rows_ascend(g, row_of({0, 2, 3, 4}), all));  // by local index
  EXPECT_FALSE(rows_ascend(g, row_of({3, 1, 0}), all));
  EXPECT_TRUE(rows_ascend(g, row_of({3, 1, 0}), {1, 3, {}}));  // another vertex's row
}

// The edges to 5, weight 2, and to 9, weight 0.5.
TEST(adjacency, is_read_alike_in_every_form) {
  adjacency apart = row_of({1, 5}), together;
  EXPECT_EQ(apart.edge_at(1).neighbour, 5u);
  EXPECT_EQ(apart.edge_at(1).weight, 1);
  apart.weights = array_of({2.0f, 0.5f});
  together.offsets = array_of<std::uint64_t>({0, 2, 2, 2});
  together.arcs = array_of<arc>({{1, 2}, {5, 0.5f}});
  for (const adjacency* rows : {&apart, &together}) {
    EXPECT_EQ(rows->edge_at(0).neighbour, 1u);
    EXPECT_EQ(rows->edge_at(0).weight, 2);
    EXPECT_EQ(rows->any_form().neighbour(1), 5u);
    EXPECT_EQ(rows->any_form().weight(1), 0.5f);
  }
}

}  // namespace
}  // namespace orujo::internal::graph
