#include "applications/layout_lab/linked_graph.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <queue>
#include <set>

#include "tests/framework/layout/random_edges.hpp"

namespace orujo::internal::layout_lab {
namespace {

using layout::undirected_graph;

layout::vertex_sequence backwards(std::uint32_t vertices) {
  layout::vertex_sequence order(vertices);
  std::iota(order.rbegin(), order.rend(), 0u);
  return order;
}

std::vector<std::uint32_t> levels_of(const undirected_graph& g) {
  std::vector<std::uint32_t> levels(g.vertices(), ~0u);
  std::queue<std::uint32_t> next;
  levels[0] = 0;
  for (next.push(0); !next.empty(); next.pop()) {
    for (const std::uint32_t w : g.of(next.front())) {
      if (levels[w] != ~0u) continue;
      levels[w] = levels[next.front()] + 1;
      next.push(w);
    }
  }
  return levels;
}

// Bellman and Ford's way, with the weights that the header promises: 1 .. 255, by both ends.
std::vector<std::uint32_t> by_relaxing(const undirected_graph& g) {
  std::vector<std::uint32_t> found(g.vertices(), ~0u);
  found[0] = 0;
  for (bool changed = true; changed;) {
    changed = false;
    for (std::uint32_t v = 0; v < g.vertices(); ++v) {
      for (const std::uint32_t w : g.of(v)) {
        const std::uint32_t weight = linked_graph::weight_of(v, w);
        EXPECT_TRUE(weight >= 1 && weight <= 255 && weight == linked_graph::weight_of(w, v));
        if (found[v] == ~0u || found[v] + weight >= found[w]) continue;
        found[w] = found[v] + weight;
        changed = true;
      }
    }
  }
  return found;
}

constexpr std::size_t record_blocks[] = {64, 1024};
constexpr auto record_pages = machine::pages::small;

TEST(linked_graph, finds_the_levels_in_any_layout) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const undirected_graph g = layout::testing::random_graph(100, 40 + 10 * seed, seed);
    for (const bool weighted : {false, true}) {
      linked_graph records(g, backwards(100), weighted, record_pages);
      const std::vector<std::uint32_t> expected = levels_of(g);
      const auto before = records.breadth_first();
      EXPECT_EQ(records.distances(), expected) << "seed " << seed;
      EXPECT_EQ(before.reached,
                static_cast<std::uint64_t>(100 - std::count(expected.begin(), expected.end(), ~0u)));
      EXPECT_EQ(records.order(), backwards(100));
      records.copy(record_blocks, record_pages);
      EXPECT_EQ(records.order().front(), 0u);
      EXPECT_EQ(records.breadth_first().checksum, before.checksum);
      EXPECT_EQ(records.distances(), expected) << "seed " << seed;
    }
  }
}

TEST(linked_graph, finds_the_same_shortest_paths_in_any_layout) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const undirected_graph g = layout::testing::random_graph(100, 40 + 10 * seed, seed);
    linked_graph records(g, backwards(100), true, record_pages);
    const auto before = records.shortest_paths();
    const std::vector<std::uint32_t> distances = records.distances();
    EXPECT_EQ(distances, by_relaxing(g)) << "seed " << seed;
    records.copy(record_blocks, record_pages);
    EXPECT_EQ(records.shortest_paths().checksum, before.checksum) << "seed " << seed;
    EXPECT_EQ(records.distances(), distances) << "seed " << seed;
    // Without weights the shortest ways are the levels.
    linked_graph bare(g, backwards(100), false, record_pages);
    bare.shortest_paths();
    EXPECT_EQ(bare.distances(), levels_of(g));
  }
}

TEST(linked_graph, differs_from_the_levels_where_edges_have_weights) {
  const undirected_graph g = layout::testing::random_graph(100, 400, 1);
  linked_graph records(g, backwards(100), true, record_pages);
  records.shortest_paths();
  EXPECT_NE(records.distances(), levels_of(g));
}

TEST(linked_graph, in_blocks_has_neighbours_behind_each_other) {
  // A path, laid out backwards: copied from vertex 0 on.
  std::vector<edge> edges;
  for (std::uint64_t v = 0; v < 9; ++v) edges.push_back({v, v + 1});
  linked_graph records(layout::make_undirected(10, edges), backwards(10), false, record_pages);
  records.copy(record_blocks, record_pages);
  EXPECT_EQ(records.order(), (layout::vertex_sequence{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}));
}

TEST(linked_graph, may_have_no_vertices) {
  linked_graph records(layout::make_undirected(0, {}), {}, false, record_pages);
  records.copy(record_blocks, record_pages);
  EXPECT_EQ(records.breadth_first().reached, 0u);
}

}  // namespace
}  // namespace orujo::internal::layout_lab
