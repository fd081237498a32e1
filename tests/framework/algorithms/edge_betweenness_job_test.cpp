#include "framework/algorithms/edge_betweenness.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "framework/verify/betweenness_oracle.hpp"
#include "framework/verify/edge_comparison.hpp"
#include "system/containers/sort.hpp"
#include "tests/framework/graphs_in_all_forms.hpp"

namespace orujo::internal::algorithms {
namespace {

using test_graphs::test_graph;

// `sources` are positions.
void expect_edge_scores(graph::distributed_graph handle, const verify::simple_graph& simple, bool symmetric,
                        const std::vector<std::size_t>& sources) {
  std::vector<std::uint64_t> numbers;
  for (const std::size_t source : sources) numbers.push_back(handle.here().numbers.number(source));
  const edge_centrality found = edge_betweenness(handle, numbers);
  containers::sort(found.edges);
  std::vector<graph::valued_edge<double>> edges(found.edges.size());
  found.edges.get(0, std::span(edges));
  found.edges.destroy();
  const verify::expected_edge_scores expected = verify::edge_betweenness(simple, sources, symmetric);
  verify::edge_comparison<double> check("scores", simple.ids(), expected.edges, expected.relative_error);
  for (const auto& e : edges) check.add({e.source, e.target, e.value});
  EXPECT_TRUE(check.agrees()) << check.describe();
}

void expect_edge_scores(const test_graph& whole, bool symmetrize, const graph::partition_options& cut = {}) {
  const verify::simple_graph simple(whole.list.edges,
                                    {.vertex_count = whole.vertex_count, .symmetrize = symmetrize});
  const std::size_t n = simple.vertex_count();
  SCOPED_TRACE(whole.name + (symmetrize ? ", symmetrized" : ", directed"));
  const graph::distributed_graph handle =
      test_graphs::build(whole, {.symmetrize = symmetrize,
                                 .partition = cut,
                                 .keep = {.in_vectors = false, .in_rows = true, .out_rows = true}});
  std::vector<std::size_t> sources;
  if (n > 0) sources = {n - 1, 0, n / 2};
  if (whole.name == "path") sources = {symmetrize ? n / 2 : n - 40};
  expect_edge_scores(handle, simple, symmetrize, sources);
  handle.destroy();
}

TEST(edge_betweenness, is_that_of_the_oracle) {
  for (const test_graph& whole : test_graphs::in_turn()) {
    for (const bool symmetrize : {true, false}) expect_edge_scores(whole, symmetrize);
  }
}

TEST(edge_betweenness, is_that_of_the_oracle_where_vertices_are_scattered) {
  for (const test_graph& whole : test_graphs::in_turn()) expect_edge_scores(whole, true, {.hash = true});
}

// A grid has levels that cores share, and after 16 of them searches go side by side.
TEST(edge_betweenness, is_that_of_the_oracle_on_a_grid) {
  constexpr std::uint64_t width = 60, height = 40;
  test_graph grid{"grid", {}, {}};
  for (std::uint64_t v = 0; v < width * height; ++v) {
    if (v % width + 1 < width) grid.list.edges.push_back({v, v + 1});
    if (v + width < width * height) grid.list.edges.push_back({v, v + width});
  }
  expect_edge_scores(grid, true);
  expect_edge_scores(grid, false);
}

// Each diamond doubles the number of paths, beyond the range of double. Half of them lead along each edge.
TEST(edge_betweenness, is_exact_where_paths_are_more_than_double_counts) {
  constexpr std::uint64_t diamonds = 1100;
  test_graph row{"diamonds", {}, {}};
  for (std::uint64_t k = 0; k < diamonds; ++k) {
    for (const std::uint64_t middle : {3 * k + 1, 3 * k + 2}) {
      row.list.edges.push_back({3 * k, middle});
      row.list.edges.push_back({middle, 3 * k + 3});
    }
  }
  const graph::distributed_graph handle =
      test_graphs::build(row, {.keep = {.in_vectors = false, .in_rows = true, .out_rows = true}});
  const std::uint64_t source = handle.here().numbers.number(0);
  const edge_centrality found = edge_betweenness(handle, std::span(&source, 1));
  ASSERT_EQ(found.edges.size(), 4 * diamonds);
  std::vector<graph::valued_edge<double>> edges(found.edges.size());
  found.edges.get(0, std::span(edges));
  for (const auto& e : edges) {
    const auto behind = static_cast<double>(3 * (diamonds - e.source / 3 - 1));  // its diamond
    EXPECT_EQ(e.value, e.source % 3 == 0 ? 1 + (1 + behind) / 2 : (1 + behind) / 2)
        << e.source << " " << e.target;
  }
  found.edges.destroy();
  handle.destroy();
}

TEST(edge_betweenness, is_that_of_the_oracle_whatever_else_the_graph_keeps) {
  for (const bool symmetrized : {false, true}) {
    test_graphs::expect_in_all_forms(
        {.in_rows = true, .out_rows = true}, symmetrized, "edge_betweenness",
        [&](const test_graphs::kept_graph& kept) {
          expect_edge_scores(kept.handle, *kept.simple, symmetrized, {100, 0});
        },
        [](const test_graphs::kept_graph& kept) { edge_betweenness(kept.handle, {}); });
  }
}

}  // namespace
}  // namespace orujo::internal::algorithms
