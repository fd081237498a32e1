#include "framework/algorithms/minimum_spanning_forest.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <limits>

#include "framework/verify/spanning_forest_oracle.hpp"
#include "tests/framework/graphs_in_all_forms.hpp"
#include "tests/framework/plain_edges.hpp"

namespace orujo::internal::algorithms {
namespace {

using test_graphs::test_graph;
using forest_edges = std::vector<verify::plain_edge<float>>;

// Destroys the edges.
forest_edges ascending(graph::edge_array<float> found) {
  forest_edges edges = test_graphs::take_edges(found);
  std::sort(edges.begin(), edges.end());
  return edges;
}

// Returns the figures of the run.
spanning_forest expect_forest(graph::distributed_graph handle, const forest_edges& expected,
                              const spanning_forest_options& options = {}) {
  const spanning_forest found = minimum_spanning_forest(handle, options);
  EXPECT_TRUE(found.ended);
  EXPECT_EQ(ascending(found.edges), expected);
  EXPECT_EQ(found.trees, handle.here().vertices - expected.size());
  double weight = 0;
  for (const auto& e : expected) weight += e.value;
  EXPECT_DOUBLE_EQ(found.weight, weight);
  return found;
}

spanning_forest expect_forest(const test_graph& whole, const graph::build_options& options = {},
                              double light_edges_per_vertex = 2) {
  SCOPED_TRACE(whole.name);
  graph::build_options with_rows = options;
  with_rows.keep = spanning_forest_forms;
  const graph::distributed_graph handle = test_graphs::build(whole, with_rows);
  const verify::simple_graph simple(whole.list.edges,
                                    {.vertex_count = whole.vertex_count, .symmetrize = options.symmetrize},
                                    whole.list.weights);
  const spanning_forest found = expect_forest(handle, verify::minimum_spanning_forest(simple),
                                              {.light_edges_per_vertex = light_edges_per_vertex});
  handle.destroy();
  return found;
}

// Edges that are drawn at random, with weights of so many kinds.
test_graph random_graph(std::uint64_t seed, std::uint64_t vertices, std::uint64_t edges,
                        std::uint64_t weights) {
  random_stream random(seed);
  test_graph whole{"random, seed " + std::to_string(seed), {}, vertices};
  for (std::uint64_t k = 0; k < edges; ++k) {
    whole.list.edges.push_back({random.below(vertices), random.below(vertices)});
    whole.list.weights.push_back(static_cast<float>(random.below(weights)) - 3);
  }
  return whole;
}

TEST(minimum_spanning_forest, is_the_oracles) {
  for (const test_graph& whole : test_graphs::in_turn()) {
    expect_forest(whole);
    expect_forest(whole, {.symmetrize = true});
  }
}

TEST(minimum_spanning_forest, is_the_oracles_where_vertices_are_scattered) {
  for (const test_graph& whole : test_graphs::in_turn()) expect_forest(whole, {.partition = {.hash = true}});
}

// The lightest edges alone, in several stages, leave trees of all sizes.
TEST(minimum_spanning_forest, is_the_oracles_in_any_number_of_stages) {
  for (const double light_edges_per_vertex : {0.02, 0.3, 2.0, 100.0}) {
    for (std::uint64_t seed = 1; seed <= (sanitized ? 1 : 4); ++seed) {
      const test_graph whole = random_graph(seed, 100 * seed, 500 * seed, seed % 2 == 0 ? 4 : 1'000'000);
      expect_forest(whole, {}, light_edges_per_vertex);
      expect_forest(whole, {.symmetrize = true}, light_edges_per_vertex);
      expect_forest(whole, {.symmetrize = true, .partition = {.hash = true}}, light_edges_per_vertex);
    }
  }
}

TEST(minimum_spanning_forest, is_the_oracles_on_sparse_graphs) {
  for (std::uint64_t seed = 1; seed <= (sanitized ? 4 : 8); ++seed)
    expect_forest(random_graph(seed, 400 * seed, 100 * seed * seed, 10), {.symmetrize = seed % 2 == 0});
}

// Few edges lead to the giant component's vertices, and most remain unread.
TEST(minimum_spanning_forest, does_not_compare_most_edges_of_a_giant_component) {
  const std::uint64_t vertices = 2000, edges = 40000;
  const spanning_forest found =
      expect_forest(random_graph(7, vertices, edges, 1'000'000), {.symmetrize = true});
  EXPECT_LT(found.collected, edges / 4);
}

//   0 -1- 1 -1- 2 -1- 3 ..     all edges are equally light, or become lighter: long chains of joins
TEST(minimum_spanning_forest, joins_long_chains_in_few_rounds) {
  for (const float step : {0.0f, 1.0f, -1.0f}) {
    test_graph path{"path", {}, 3000};
    for (std::uint64_t v = 1; v < 3000; ++v) {
      path.list.edges.push_back(v % 2 == 0 ? edge{v - 1, v} : edge{v, v - 1});
      path.list.weights.push_back(step * static_cast<float>(v));
    }
    EXPECT_LE(expect_forest(path).rounds, 12);
  }
}

//   0 == 1 == 2     parallel edges, loops, and a pair of opposite edges
TEST(minimum_spanning_forest, takes_the_lightest_of_parallel_edges) {
  const test_graph whole{
      "parallel edges",
      {{{0, 1}, {0, 1}, {1, 0}, {1, 1}, {1, 2}, {2, 1}, {2, 2}, {5, 5}}, {5, 3, 4, 0, 0.0f, -0.0f, 1, 1}},
      {}};
  const spanning_forest found = expect_forest(whole);
  EXPECT_EQ(found.weight, 3);
  EXPECT_EQ(found.trees, 2u);
}

TEST(minimum_spanning_forest, of_weights_far_apart_has_their_sum) {
  constexpr float most = std::numeric_limits<float>::max(), least = std::numeric_limits<float>::denorm_min();
  const test_graph whole{"far apart", {{{0, 1}, {1, 2}, {2, 3}, {3, 0}}, {most, least, -most, 1}}, {}};
  expect_forest(whole);
}

TEST(minimum_spanning_forest, of_graphs_without_edges_has_none) {
  for (const std::uint64_t vertices : {0, 1, 70}) {
    const spanning_forest found = expect_forest(test_graph{"no edges", {}, vertices});
    EXPECT_EQ(found.trees, vertices);
    EXPECT_EQ(found.rounds, 0);
  }
}

TEST(minimum_spanning_forest, stops_before_the_next_round) {
  const graph::distributed_graph handle =
      test_graphs::build(random_graph(1, 100, 400, 9), {.keep = spanning_forest_forms});
  const std::atomic<bool> stop{true};
  const spanning_forest told = minimum_spanning_forest(handle, {.stop = &stop});
  EXPECT_FALSE(told.ended);
  EXPECT_EQ(told.rounds, 0);
  told.edges.destroy();
  handle.destroy();
}

TEST(minimum_spanning_forest, is_the_oracles_whatever_else_the_graph_keeps) {
  for (const bool symmetrized : {false, true}) {
    test_graphs::expect_in_all_forms(
        {.in_rows = true, .out_rows = true, .in_arrays = false}, symmetrized, "minimum_spanning_forest",
        [](const test_graphs::kept_graph& kept) {
          expect_forest(kept.handle, verify::minimum_spanning_forest(*kept.simple));
        },
        [](const test_graphs::kept_graph& kept) { minimum_spanning_forest(kept.handle).edges.destroy(); });
  }
}

}  // namespace
}  // namespace orujo::internal::algorithms
