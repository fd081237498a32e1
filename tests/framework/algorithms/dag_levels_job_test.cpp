#include "framework/algorithms/dag_levels.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <numeric>

#include "framework/gas/load.hpp"
#include "framework/verify/dag_oracle.hpp"
#include "tests/framework/graphs_in_all_forms.hpp"
#include "tests/framework/job_property.hpp"

namespace orujo::internal::algorithms {
namespace {

using test_graphs::test_graph;

// Levels are the oracle's; where it has none there is a cycle.
dag_report expect_levels(graph::distributed_graph handle, const verify::simple_graph& simple,
                         const dag_options& options = {}) {
  const auto levels = graph::property<std::uint32_t>::create(handle);
  const dag_report report = dag_levels(handle, levels, options);
  EXPECT_TRUE(report.ended);
  const auto expected = verify::dag_levels(simple);
  EXPECT_EQ(report.cycle.empty(), expected.has_value());
  if (expected) {
    const auto found = test_graphs::by_position(handle, levels);
    EXPECT_TRUE(std::equal(found.begin(), found.end(), expected->begin(), expected->end()));
  }
  for (std::size_t k = 0; k < report.cycle.size(); ++k) {
    const auto row = simple.out_neighbors(report.cycle[k]);
    EXPECT_TRUE(std::binary_search(row.begin(), row.end(), report.cycle[(k + 1) % report.cycle.size()]));
  }
  levels.destroy();
  return report;
}

dag_report expect_levels(const test_graph& whole, const graph::build_options& options = {},
                         const dag_options& way = {}) {
  SCOPED_TRACE(whole.name);
  graph::build_options of_maps = options;
  of_maps.keep = gas::forms_for_maps;
  const graph::distributed_graph handle = test_graphs::build(whole, of_maps);
  const verify::simple_graph simple(whole.list.edges,
                                    {.vertex_count = whole.vertex_count, .symmetrize = options.symmetrize});
  const dag_report report = expect_levels(handle, simple, way);
  handle.destroy();
  return report;
}

// Edges lead upwards in a random order; some are parallel.
test_graph acyclic(std::uint64_t seed, std::uint64_t vertices, std::uint64_t edges) {
  random_stream random(seed);
  std::vector<std::uint64_t> order(vertices);
  std::iota(order.begin(), order.end(), 0);
  for (std::uint64_t k = vertices - 1; k > 0; --k) std::swap(order[k], order[random.below(k + 1)]);
  test_graph whole{"acyclic, seed " + std::to_string(seed), {}, vertices};
  for (std::uint64_t k = 0; k < edges; ++k) {
    const std::uint64_t a = random.below(vertices), b = random.below(vertices);
    if (a != b) whole.list.edges.push_back({order[std::min(a, b)], order[std::max(a, b)]});
  }
  return whole;
}

TEST(dag_levels, are_those_of_the_oracle) {
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    const test_graph whole = acyclic(seed, 300 * seed, 200 * seed * seed);
    EXPECT_TRUE(expect_levels(whole).cycle.empty());
    expect_levels(whole, {.partition = {.hash = true}});
  }
}

TEST(dag_levels, of_any_graph_are_those_of_the_oracle_or_a_cycle) {
  for (const test_graph& whole : test_graphs::in_turn()) {
    expect_levels(whole);
    expect_levels(whole, {.symmetrize = true});
  }
}

TEST(dag_levels, are_the_same_pushed_and_pulled) {
  for (const steps::direction way : {steps::direction::push, steps::direction::pull}) {
    dag_options options;
    options.maps.direction.wanted = way;
    expect_levels(acyclic(9, 500, 3000), {}, options);
  }
}

//   0 -> 1 -> 2 -> ..     and 0 -> 2: the longest path counts
TEST(dag_levels, are_lengths_of_longest_paths) {
  test_graph whole{"path with shortcuts", {}, {}};
  for (std::uint64_t v = 1; v < 60; ++v) {
    whole.list.edges.push_back({v - 1, v});
    if (v > 1) whole.list.edges.push_back({v - 2, v});
  }
  const dag_report report = expect_levels(whole);
  EXPECT_EQ(report.levels, 60u);
  EXPECT_EQ(report.widest, 1u);
}

//   7 -> 3 -> 5 -> 7     5 -> 9 -> 9     1 -> 3, 9 -> 2 -> 4: the cycle from its smallest vertex on
TEST(dag_levels, name_a_cycle) {
  const test_graph whole{"cycles", {{{7, 3}, {3, 5}, {5, 7}, {5, 9}, {1, 3}, {9, 2}, {2, 4}}, {}}, 10};
  for (const bool hash : {false, true}) {
    EXPECT_EQ(expect_levels(whole, {.partition = {.hash = hash}}).cycle,
              (std::vector<std::uint64_t>{3, 5, 7}));
  }
  const test_graph loop{"loop", {{{0, 1}, {1, 1}}, {}}, {}};
  EXPECT_EQ(expect_levels(loop).cycle, (std::vector<std::uint64_t>{1}));
}

TEST(dag_levels, of_graphs_without_edges_are_0) {
  for (const std::uint64_t vertices : {0, 1, 70}) {
    const dag_report report = expect_levels(test_graph{"no edges", {}, vertices});
    EXPECT_EQ(report.levels, vertices > 0 ? 1u : 0u);
    EXPECT_EQ(report.widest, vertices);
  }
}

TEST(dag_levels, stop_after_an_edge_map) {
  const graph::distributed_graph handle =
      test_graphs::build(acyclic(1, 100, 400), {.keep = gas::forms_for_maps});
  const auto levels = graph::property<std::uint32_t>::create(handle);
  const std::atomic<bool> stop{true};
  const dag_report told = dag_levels(handle, levels, {.stop = &stop});
  EXPECT_FALSE(told.ended);
  EXPECT_EQ(told.levels, 1u);
  EXPECT_TRUE(told.cycle.empty());
  levels.destroy();
  handle.destroy();
}

TEST(dag_levels, are_those_of_the_oracle_whatever_else_the_graph_keeps) {
  test_graphs::expect_in_all_forms(
      {.in_rows = true, .out_rows = true}, false, "dag_levels",
      [](const test_graphs::kept_graph& kept) { expect_levels(kept.handle, *kept.simple); },
      [](const test_graphs::kept_graph& kept) {
        const auto levels = graph::property<std::uint32_t>::create(kept.handle);
        dag_levels(kept.handle, levels);
      });
}

}  // namespace
}  // namespace orujo::internal::algorithms
