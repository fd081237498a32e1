#include "framework/algorithms/weighted_betweenness.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "framework/algorithms/edge_betweenness.hpp"
#include "framework/verify/betweenness_oracle.hpp"
#include "framework/verify/edge_comparison.hpp"
#include "framework/verify/shortest_paths_oracle.hpp"
#include "framework/verify/value_comparison.hpp"
#include "system/containers/sort.hpp"
#include "tests/framework/graphs_in_all_forms.hpp"
#include "tests/framework/job_property.hpp"

namespace orujo::internal::algorithms {
namespace {

using test_graphs::test_graph;
using source_positions = std::vector<std::size_t>;

std::vector<std::uint64_t> source_numbers(graph::distributed_graph handle, const source_positions& sources) {
  std::vector<std::uint64_t> numbers;
  for (const std::size_t source : sources) numbers.push_back(handle.here().numbers.number(source));
  return numbers;
}

struct weighted_scores {
  centrality_report report;
  std::vector<double> scores;  // by position
};

// Returns the results of the second of two runs; the first has only the last source.
weighted_scores find_weighted_scores(graph::distributed_graph handle, const source_positions& sources) {
  const auto scores = graph::property<double>::create(handle);
  weighted_scores found;
  found.report = loops::on_all_cores(
      [=](const std::vector<std::uint64_t>& all) {
        weighted_betweenness centrality(handle.here(), scores.here());
        centrality.run(std::span(all).last(all.empty() ? 0 : 1));
        return centrality.run(all);
      },
      source_numbers(handle, sources));
  found.scores = test_graphs::by_position(handle, scores);
  scores.destroy();
  return found;
}

// Returns whether an edge of a shortest path does not lengthen it.
bool has_flat_edges(const verify::simple_graph& simple, const source_positions& sources) {
  for (const std::size_t source : sources) {
    const std::vector<double> lengths = verify::shortest_paths<double>(simple, source);
    for (std::size_t v = 0; v < simple.vertex_count(); ++v) {
      for (std::size_t k = 0; k < simple.out_weights(v).size(); ++k) {
        const double there = lengths[simple.out_neighbors(v)[k]];
        if (lengths[v] == there && there < std::numeric_limits<double>::infinity() &&
            there + static_cast<double>(simple.out_weights(v)[k]) == there)
          return true;
      }
    }
  }
  return false;
}

void expect_weighted_edge_scores(graph::distributed_graph handle, const verify::simple_graph& simple,
                                 const source_positions& sources) {
  const bool symmetric = handle.here().symmetric;
  const edge_centrality found = edge_betweenness(handle, source_numbers(handle, sources), {.weighted = true});
  containers::sort(found.edges);
  std::vector<graph::valued_edge<double>> edges(found.edges.size());
  found.edges.get(0, std::span(edges));
  found.edges.destroy();
  const verify::expected_edge_scores expected =
      verify::edge_betweenness(simple, sources, symmetric, verify::path_lengths::weights);
  verify::edge_comparison<double> check("scores", simple.ids(), expected.edges, expected.relative_error);
  for (const auto& e : edges) check.add({e.source, e.target, e.value});
  EXPECT_TRUE(check.agrees()) << check.describe();
}

// Compares the scores of vertices and edges with the oracle's. Returns those of vertices.
std::vector<double> expect_weighted_scores(graph::distributed_graph handle,
                                           const verify::simple_graph& simple,
                                           const source_positions& sources) {
  const weighted_scores found = find_weighted_scores(handle, sources);
  EXPECT_EQ(found.report.flat_edges > 0, has_flat_edges(simple, sources));
  EXPECT_EQ(check_lengths(found.report, "this").ok(), found.report.flat_edges == 0);
  if (found.report.flat_edges > 0) return {};
  std::uint64_t reached = 0;
  for (const std::size_t source : sources) {
    for (const double length : verify::shortest_paths<double>(simple, source))
      reached += length < std::numeric_limits<double>::infinity() ? 1 : 0;
  }
  EXPECT_EQ(found.report.reached, reached);
  EXPECT_TRUE(found.report.ended);
  const verify::expected_scores expected =
      verify::betweenness(simple, sources, verify::path_lengths::weights);
  verify::value_comparison<double> check("scores", simple.ids(), expected.scores, expected.relative_error);
  EXPECT_EQ(found.scores.size(), simple.vertex_count());
  for (std::size_t v = 0; v < found.scores.size(); ++v) check.add(simple.ids()[v], found.scores[v]);
  EXPECT_TRUE(check.agrees()) << check.describe();
  expect_weighted_edge_scores(handle, simple, sources);
  return found.scores;
}

verify::simple_graph simple_with_weights(const test_graph& whole, bool symmetrize) {
  return verify::simple_graph(
      whole.list.edges, {.vertex_count = whole.vertex_count, .symmetrize = symmetrize}, whole.list.weights);
}

std::vector<double> expect_weighted_scores_of(const test_graph& whole, bool symmetrize,
                                              source_positions sources = {},
                                              const graph::partition_options& cut = {}) {
  const verify::simple_graph simple = simple_with_weights(whole, symmetrize);
  const std::size_t n = simple.vertex_count();
  SCOPED_TRACE(whole.name + (symmetrize ? ", symmetrized" : ", directed"));
  const graph::distributed_graph handle = test_graphs::build(
      whole, {.symmetrize = symmetrize, .partition = cut, .keep = weighted_betweenness_forms});
  if (sources.empty() && n > 0) sources = {n - 1, 0, n / 2};
  std::vector<double> scores = expect_weighted_scores(handle, simple, sources);
  handle.destroy();
  return scores;
}

// Weights draw(random) in place of those that the graph has.
test_graph with_drawn_weights(test_graph whole, auto draw) {
  random_stream random(whole.list.edges.size());
  whole.list.weights.clear();
  for (std::size_t k = 0; k < whole.list.edges.size(); ++k) whole.list.weights.push_back(draw(random));
  return whole;
}
// With few different weights many paths are equally long.
float draw_few_weights(random_stream& random) { return static_cast<float>(1 + random.below(3)); }
float draw_fractions(random_stream& random) { return static_cast<float>(1 + random.below(1000)) / 7; }

test_graph weightless_mesh(std::uint64_t width, std::uint64_t height) {
  test_graph made{"mesh", {}, {}};
  for (std::uint64_t v = 0; v < width * height; ++v) {
    if (v % width + 1 < width) made.list.edges.push_back({v, v + 1});
    if (v + width < width * height) made.list.edges.push_back({v, v + width});
  }
  return made;
}

TEST(weighted_betweenness, is_that_of_the_oracle) {
  for (const test_graph& whole : test_graphs::in_turn()) {
    for (const bool symmetrize : {true, false}) {
      expect_weighted_scores_of(with_drawn_weights(whole, draw_few_weights), symmetrize);
      if (whole.name != "random_larger")
        expect_weighted_scores_of(with_drawn_weights(whole, draw_fractions), symmetrize);
    }
  }
}

// Some have no weights, and some weights of 0.
TEST(weighted_betweenness, is_that_of_the_oracle_with_the_weights_that_graphs_have) {
  for (const test_graph& whole : test_graphs::in_turn()) {
    for (const bool symmetrize : {true, false}) expect_weighted_scores_of(whole, symmetrize);
  }
}

TEST(weighted_betweenness, is_that_of_the_oracle_where_vertices_are_scattered) {
  for (const test_graph& whole : test_graphs::in_turn())
    expect_weighted_scores_of(with_drawn_weights(whole, draw_few_weights), true, {}, {.hash = true});
}

// Levels of a mesh are small at first, and cores share the others. Paths lead from locale to locale and back.
TEST(weighted_betweenness, is_that_of_the_oracle_on_meshes) {
  constexpr std::size_t width = sanitized ? 80 : 250, height = 60 / test_graphs::share;
  for (const bool symmetrize : {true, false}) {
    expect_weighted_scores_of(with_drawn_weights(weightless_mesh(width, height), draw_few_weights),
                              symmetrize);
    expect_weighted_scores_of(with_drawn_weights(weightless_mesh(width, height), [](auto&) { return 2.5f; }),
                              symmetrize, {0});
    expect_weighted_scores_of(with_drawn_weights(weightless_mesh(width, height), draw_fractions), symmetrize,
                              {}, {.hash = true});
  }
}

// Each vertex has 900 neighbours in the next layer, more edges than one core goes along by itself.
TEST(weighted_betweenness, is_that_of_the_oracle_where_few_vertices_have_many_edges) {
  constexpr std::uint64_t layer = 900 / test_graphs::share;
  test_graph layers{"hubs in a row", {}, {}};
  for (std::uint64_t hub = 0; hub < 6; ++hub) {
    const std::uint64_t at = hub * (layer + 2);
    for (std::uint64_t v = 0; v < layer; ++v) {
      for (const std::uint64_t twin : {0, 1}) {
        layers.list.edges.push_back({at + twin, at + 2 + v});
        layers.list.edges.push_back({at + 2 + v, at + layer + 2 + twin});
      }
    }
  }
  expect_weighted_scores_of(with_drawn_weights(layers, draw_few_weights), false, {0, 1, 5 * (layer + 2)});
  expect_weighted_scores_of(with_drawn_weights(layers, draw_few_weights), true, {0, 4 * (layer + 2)});
}

// With all weights alike, scores are those of paths with the fewest edges.
TEST(weighted_betweenness, is_that_without_weights_if_all_are_alike) {
  for (const test_graph& whole : test_graphs::in_turn()) {
    if (whole.name == "random_larger") continue;
    const std::vector<double> found =
        expect_weighted_scores_of(with_drawn_weights(whole, [](auto&) { return 3.0f; }), true);
    const verify::simple_graph simple = simple_with_weights(whole, true);
    const std::size_t n = simple.vertex_count();
    if (n == 0) continue;
    const verify::expected_scores expected = verify::betweenness(simple, source_positions{n - 1, 0, n / 2});
    for (std::size_t v = 0; v < n; ++v)
      EXPECT_NEAR(found[v], expected.scores[v], 1e-9 * expected.scores[v]) << whole.name << " " << v;
  }
}

//   0 -0.1-> 1 -0.2-> 3,  0 -0.3-> 3: floats of which the first two have a smaller sum than the third
//   0 -1-> 4 -2-> 6,  0 -3-> 6
TEST(weighted_betweenness, has_ties_where_sums_are_equal) {
  const test_graph whole{
      "ties", {{{0, 1}, {1, 3}, {0, 3}, {0, 4}, {4, 6}, {0, 6}, {2, 5}}, {0.1f, 0.2f, 0.3f, 1, 2, 3, 1}}, 7};
  const bool smaller = static_cast<double>(0.1f) + static_cast<double>(0.2f) < static_cast<double>(0.3f);
  EXPECT_EQ(expect_weighted_scores_of(whole, false, {0}),
            (std::vector<double>{0, smaller ? 1. : 0., 0, 0, 0.5, 0, 0}));
}

// 2^60 + 1 is 2^60 in double precision.
TEST(weighted_betweenness, counts_edges_that_lengthen_no_path) {
  const auto flat_edges = [](const std::vector<edge>& edges, const std::vector<float>& weights) {
    const graph::distributed_graph handle =
        test_graphs::build({"flat", {edges, weights}, {}}, {.keep = weighted_betweenness_forms});
    const centrality_report report = find_weighted_scores(handle, {0}).report;
    handle.destroy();
    return report.flat_edges;
  };
  EXPECT_EQ(flat_edges({{0, 1}, {1, 2}}, {1, 0}), 1);
  EXPECT_EQ(flat_edges({{0, 1}, {1, 2}, {2, 2}, {2, 1}}, {1, 0, 0, 0}), 3);
  EXPECT_EQ(flat_edges({{0, 1}, {1, 2}}, {0x1p60f, 1}), 1);
  EXPECT_EQ(flat_edges({{0, 1}, {1, 2}}, {0x1p60f, 0x1p10f}), 0);
  EXPECT_EQ(flat_edges({{0, 1}, {1, 2}, {2, 1}}, {1, 1, 0}), 0);  // no shortest path has it
  EXPECT_EQ(flat_edges({{0, 1}, {2, 3}}, {1, 0}), 0);
}

// Each diamond doubles the number of paths, beyond the range of double.
TEST(weighted_betweenness, is_exact_where_paths_are_more_than_double_counts) {
  constexpr std::uint64_t diamonds = 1100;
  test_graph row{"diamonds", {}, {}};
  for (std::uint64_t k = 0; k < diamonds; ++k) {
    const auto weight = static_cast<float>(1 + k % 5);
    for (const std::uint64_t middle : {3 * k + 1, 3 * k + 2}) {
      row.list.edges.push_back({3 * k, middle});
      row.list.edges.push_back({middle, 3 * k + 3});
      row.list.weights.insert(row.list.weights.end(),
                              {middle % 3 == 1 ? 0.5f : weight, middle % 3 == 1 ? weight : 0.5f});
    }
  }
  const std::vector<double> scores = expect_weighted_scores_of(row, false, {0});
  ASSERT_EQ(scores.size(), 3 * diamonds + 1);
  for (std::uint64_t k = 0; k < diamonds; ++k) {
    const auto behind = static_cast<double>(3 * (diamonds - k - 1));
    EXPECT_EQ(scores[3 * k + 1], (1 + behind) / 2) << k;
    EXPECT_EQ(scores[3 * k + 2], (1 + behind) / 2) << k;
    EXPECT_EQ(scores[3 * k + 3], behind) << k;
  }
}

TEST(weighted_betweenness, ends_before_the_next_source_if_it_is_stopped) {
  const test_graph whole = with_drawn_weights(weightless_mesh(20, 20), draw_few_weights);
  const graph::distributed_graph handle =
      test_graphs::build(whole, {.keep = {.in_vectors = false, .in_rows = true, .out_rows = true}});
  static std::atomic<bool> stop;
  for (const bool stopped : {false, true}) {
    stop = stopped;
    for (const bool weighted : {false, true}) {
      const edge_centrality found =
          edge_betweenness(handle, source_numbers(handle, {0, 399}), {.weighted = weighted, .stop = &stop});
      EXPECT_EQ(found.report.ended, !stopped);
      EXPECT_EQ(found.report.reached > 0, !stopped);
      found.edges.destroy();
    }
  }
  handle.destroy();
}

TEST(weighted_betweenness, is_that_of_the_oracle_whatever_else_the_graph_keeps) {
  for (const bool symmetrized : {false, true}) {
    test_graphs::expect_in_all_forms(
        {.in_rows = true, .out_rows = true, .in_arrays = false}, symmetrized, "betweenness_centrality",
        [](const test_graphs::kept_graph& kept) {
          expect_weighted_scores(kept.handle, *kept.simple, {100, 0});
        },
        [](const test_graphs::kept_graph& kept) { weighted_betweenness(kept.handle.here(), {}); });
  }
}

}  // namespace
}  // namespace orujo::internal::algorithms
