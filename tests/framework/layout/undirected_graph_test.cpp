#include "framework/layout/undirected_graph.hpp"

#include <gtest/gtest.h>

#include <set>
#include <utility>

#include "tests/framework/layout/random_edges.hpp"

namespace orujo::internal::layout {
namespace {

TEST(undirected_graph, has_every_edge_both_ways_once_and_no_loops) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const std::uint32_t vertices = 1 + static_cast<std::uint32_t>(seed * 7 % 60);
    const std::vector<edge> edges = testing::random_edges(vertices, 3 * seed, seed);
    std::set<std::pair<std::uint64_t, std::uint64_t>> expected, got;
    for (const edge& e : edges) {
      if (e.source == e.target) continue;
      expected.insert({e.source, e.target});
      expected.insert({e.target, e.source});
    }
    const undirected_graph g = make_undirected(vertices, edges);
    ASSERT_EQ(g.vertices(), vertices);
    std::size_t count = 0;
    for (std::uint32_t v = 0; v < vertices; ++v) {
      for (const std::uint32_t neighbour : g.of(v)) got.insert({v, neighbour});
      EXPECT_TRUE(std::is_sorted(g.of(v).begin(), g.of(v).end()));
      count += g.degree(v);
    }
    EXPECT_EQ(got, expected) << "seed " << seed;
    EXPECT_EQ(count, expected.size()) << "seed " << seed;
  }
}

TEST(undirected_graph, may_be_empty) {
  EXPECT_EQ(make_undirected(0, {}).vertices(), 0u);
  EXPECT_EQ(make_undirected(3, {}).degree(2), 0u);
}

}  // namespace
}  // namespace orujo::internal::layout
