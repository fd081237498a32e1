#include "framework/algorithms/betweenness.hpp"

#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "framework/verify/betweenness_oracle.hpp"
#include "framework/verify/breadth_first_search_oracle.hpp"
#include "framework/verify/value_comparison.hpp"
#include "tests/at_home.hpp"
#include "tests/framework/graphs_in_all_forms.hpp"
#include "tests/framework/job_property.hpp"
#include "tests/sanitized.hpp"

namespace orujo::internal::algorithms {
namespace {

struct found_scores {
  centrality_report report;
  std::vector<double> scores;
};

// Returns the results of the second of two runs; the first has only the first source.
found_scores find(graph::distributed_graph graph, const std::vector<std::size_t>& sources) {
  const auto scores = graph::property<double>::create(graph);
  found_scores found;
  loops::on_all_cores([=, from = at_home(sources), to = at_home(found.report)] {
    const std::size_t count = collectives::broadcast(my_core() == 0 ? from->size() : 0, 0);
    std::vector<std::uint64_t> mine;
    for (std::size_t k = 0; k < count; ++k)
      mine.push_back(collectives::broadcast(my_core() == 0 ? (*from)[k] : std::size_t{0}, 0));
    betweenness_centrality centrality(graph.here(), scores.here());
    centrality.run(std::span(mine).first(1));
    const centrality_report report = centrality.run(mine);
    if (my_core() == 0) *to = report;
  });
  found.scores = test_graphs::by_vertex_number(scores);
  scores.destroy();
  return found;
}

void expect_scores(const verify::simple_graph& simple, const std::vector<std::size_t>& sources,
                   const found_scores& found) {
  std::uint64_t reached = 0;
  std::int64_t deepest = 0;
  for (const std::size_t source : sources) {
    for (const std::int64_t level : verify::search_levels(simple, source)) {
      reached += level != verify::unreached;
      deepest = std::max(deepest, level);
    }
  }
  EXPECT_EQ(found.report.reached, reached);
  EXPECT_EQ(found.report.levels, deepest + 1);
  const verify::expected_scores expected = verify::betweenness(simple, sources);
  verify::value_comparison<double> check("scores", simple.ids(), expected.scores, expected.relative_error);
  ASSERT_EQ(found.scores.size(), simple.vertex_count());
  for (std::size_t v = 0; v < found.scores.size(); ++v) check.add(simple.ids()[v], found.scores[v]);
  EXPECT_TRUE(check.agrees()) << check.describe();
}

void expect_scores_of(const test_graphs::test_graph& whole, bool symmetrize,
                      std::vector<std::size_t> sources = {}) {
  const verify::simple_graph simple(whole.list.edges,
                                    {.vertex_count = whole.vertex_count, .symmetrize = symmetrize});
  const std::size_t n = simple.vertex_count();
  if (n == 0) return;
  SCOPED_TRACE(whole.name);
  graph::build_options options;
  options.symmetrize = symmetrize;
  options.keep = {.in_vectors = false, .in_rows = true, .out_rows = true};
  const graph::distributed_graph graph = test_graphs::build(whole, options);
  if (sources.empty()) sources = {n - 1, 0, n / 2};
  if (whole.name == "path")
    sources = {symmetrize ? n / 2 : n - 40};  // a search of hundreds of levels takes long
  expect_scores(simple, sources, find(graph, sources));
  graph.destroy();
}

void expect_scores_of_all_graphs(bool symmetrize) {
  for (const test_graphs::test_graph& whole : test_graphs::in_turn()) expect_scores_of(whole, symmetrize);
}

TEST(betweenness, is_that_of_the_oracle) { expect_scores_of_all_graphs(false); }

TEST(betweenness, is_that_of_the_oracle_without_directions) { expect_scores_of_all_graphs(true); }

//   0 -> 1 -> .. -> 39 -> `leaves` vertices -> as many others -> 40 -> 41 -> .. -> 79
// One core passes the levels of one vertex alone. They come before and after levels that cores share.
test_graphs::test_graph tail_fan_tail(std::uint64_t leaves) {
  constexpr std::uint64_t tail = 40;
  test_graphs::test_graph made{"tail_fan_tail", {}, {}};
  auto& edges = made.list.edges;
  for (std::uint64_t v = 1; v < 2 * tail; ++v) {
    if (v != tail) edges.push_back({v - 1, v});
  }
  for (std::uint64_t k = 0; k < leaves; ++k) {
    const std::uint64_t upper = 2 * tail + k, lower = upper + leaves;
    edges.push_back({tail - 1, upper});
    edges.push_back({upper, lower});
    edges.push_back({upper, 2 * tail + leaves + k * 7 % leaves});
    edges.push_back({lower, tail});
  }
  return made;
}

TEST(betweenness, is_that_of_the_oracle_where_levels_grow_and_shrink) {
  expect_scores_of(tail_fan_tail(4000), false);
  expect_scores_of(tail_fan_tail(4000), true);
}

// With several locales other searches begin beside the first one after 16 levels. Each reaches a large level,
// with which it goes on alone, in another round.
TEST(betweenness, is_that_of_the_oracle_where_searches_have_large_levels_side_by_side) {
  expect_scores_of(tail_fan_tail(33'000 * static_cast<std::uint64_t>(cores())), false,
                   sanitized ? std::vector<std::size_t>{0, 7} : std::vector<std::size_t>{0, 3, 7});
}

// There are more sources than searches that go side by side. Some sources reach nothing.
TEST(betweenness, is_that_of_the_oracle_from_many_sources) {
  std::vector<std::size_t> sources;
  for (std::size_t k = 0; k < 19; ++k) sources.push_back(k * 7 % 80);
  sources.insert(sources.end(), {79, 79, 1000});
  expect_scores_of(tail_fan_tail(1000), false, sources);
}

// A grid of 250 x 200 vertices has levels that are too large for one core and far too small to be pulled.
TEST(betweenness, is_that_of_the_oracle_where_levels_are_many_and_wide) {
  constexpr std::uint64_t width = 250, height = 200 / test_graphs::share;
  test_graphs::test_graph grid{"grid", {}, {}};
  for (std::uint64_t v = 0; v < width * height; ++v) {
    if (v % width + 1 < width) grid.list.edges.push_back({v, v + 1});
    if (v + width < width * height) grid.list.edges.push_back({v, v + width});
    if (v % 3 == 0 && v + width + 1 < width * height) grid.list.edges.push_back({v, v + width + 1});
  }
  expect_scores_of(grid, true);
}

TEST(betweenness, is_that_of_the_oracle_whatever_else_the_graph_keeps) {
  for (const bool symmetrized : {false, true}) {
    test_graphs::expect_in_all_forms(
        {.in_rows = true, .out_rows = true}, symmetrized, "betweenness_centrality",
        [](const test_graphs::kept_graph& kept) {
          const std::vector<std::size_t> sources{100, 0};
          expect_scores(*kept.simple, sources, find(kept.handle, sources));
        },
        [](const test_graphs::kept_graph& kept) { betweenness_centrality(kept.handle.here(), {}); });
  }
}

// Diamonds in a row: 0 -> {1, 2} -> 3 -> {4, 5} -> 6 ... Each diamond doubles the number of paths.
TEST(betweenness, is_exact_where_diamonds_double_the_paths_beyond_the_range_of_double) {
  constexpr std::uint64_t diamonds = 1100;
  test_graphs::test_graph row{"diamonds", {}, {}};
  for (std::uint64_t k = 0; k < diamonds; ++k) {
    for (const std::uint64_t middle : {3 * k + 1, 3 * k + 2}) {
      row.list.edges.push_back({3 * k, middle});
      row.list.edges.push_back({middle, 3 * k + 3});
    }
  }
  graph::build_options options;
  options.keep = {.in_vectors = false, .in_rows = true, .out_rows = true};
  const graph::distributed_graph graph = test_graphs::build(row, options);
  const std::vector<double> scores = find(graph, {0}).scores;
  graph.destroy();
  ASSERT_EQ(scores.size(), 3 * diamonds + 1);
  EXPECT_EQ(scores[0], 0);
  for (std::uint64_t k = 0; k < diamonds; ++k) {
    const auto behind = static_cast<double>(3 * (diamonds - k - 1));
    EXPECT_EQ(scores[3 * k + 1], (1 + behind) / 2) << k;
    EXPECT_EQ(scores[3 * k + 2], (1 + behind) / 2) << k;
    EXPECT_EQ(scores[3 * k + 3], behind) << k;
  }
}

// Layers, in which each vertex has `degree` in-edges from random vertices of the layer before. The number of
// paths grows by that factor from layer to layer. A path beside the layers leads from the first vertex to
// `end`, so that neighbouring vertices have numbers of paths of very different sizes. The last layer is
// larger than the others.
test_graphs::test_graph layers(std::uint64_t width, std::uint64_t degree, std::uint64_t depth) {
  test_graphs::test_graph made{"layers " + std::to_string(width) + " wide", {}, {}};
  auto& edges = made.list.edges;
  random_stream random(width);
  for (std::uint64_t v = width; v < depth * width; ++v) {
    const std::uint64_t before = (v / width - 1) * width;
    for (std::uint64_t k = 0; k < degree; ++k) edges.push_back({before + random.below(width), v});
  }
  std::uint64_t beside = 0, next = depth * width;
  for (std::uint64_t l = 1; l < depth; ++l) edges.push_back({std::exchange(beside, next), next}), ++next;
  const std::uint64_t last_layer = (depth - 1) * width, end = next++;
  edges.push_back({beside, end});
  edges.push_back({last_layer, end});
  for (std::uint64_t k = 0; k < 8 * width; ++k, ++next) {
    edges.push_back({end, next});
    for (std::uint64_t j = 0; j < 2 * degree; ++j) edges.push_back({last_layer + random.below(width), next});
  }
  return made;
}

// The levels are passed by one core alone, or shared by all. More than one search has large numbers of paths,
// each from another level on.
TEST(betweenness, is_that_of_the_oracle_where_paths_are_more_than_double_counts) {
  expect_scores_of(layers(8, 8, 400), false, {0, 3, 80, 1000});
  if (!sanitized) expect_scores_of(layers(64, 32, 230), false, {0, 40, 700, 5000});
  expect_scores_of(layers(16, 16, 300), true, {0, 2000});
}

}  // namespace
}  // namespace orujo::internal::algorithms
