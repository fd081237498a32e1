#include "framework/algorithms/personalized_pagerank.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "framework/gas/load.hpp"
#include "framework/verify/personalized_pagerank_oracle.hpp"
#include "tests/framework/graphs_in_all_forms.hpp"
#include "tests/framework/hub_graphs.hpp"
#include "tests/framework/job_property.hpp"

namespace orujo::internal::algorithms {
namespace {

using test_graphs::test_graph;

// Vertices where surfers restart, and their shares.
using source_shares = std::vector<std::pair<std::size_t, double>>;

graph::property<double> restarts_of(graph::distributed_graph handle, const source_shares& sources) {
  std::vector<restart> restarts;
  for (const auto& [source, share] : sources)
    restarts.push_back({handle.here().numbers.number(source), share});
  return restarts_at(handle, restarts);
}

void expect_personal_ranks(graph::distributed_graph handle, const verify::simple_graph& simple,
                           const source_shares& sources, double damping, int iterations) {
  const std::vector<double> expected = verify::personalized_pagerank(simple, sources, damping, iterations);
  personalized_pagerank program{graph::property<double>::create(handle), restarts_of(handle, sources),
                                damping, 0};
  gas::run(program, handle, {.most_supersteps = iterations});
  const std::vector<double> ranks = test_graphs::by_position(handle, program.ranks);
  ASSERT_EQ(ranks.size(), expected.size());
  for (std::size_t v = 0; v < ranks.size(); ++v)
    ASSERT_NEAR(ranks[v], expected[v], 1e-12 * expected[v]) << "vertex " << v;
  EXPECT_NEAR(std::accumulate(ranks.begin(), ranks.end(), 0.0), 1, 1e-12);
  program.restarts.destroy();
  program.ranks.destroy();
}
void expect_personal_ranks(const test_graph& whole, bool symmetrize, const source_shares& sources,
                           double damping, int iterations, const graph::partition_options& cut = {}) {
  SCOPED_TRACE(whole.name);
  const graph::distributed_graph handle = test_graphs::build(
      whole, {.symmetrize = symmetrize, .partition = cut, .keep = gas::forms_for<personalized_pagerank>()});
  expect_personal_ranks(
      handle,
      verify::simple_graph(whole.list.edges, {.vertex_count = whole.vertex_count, .symmetrize = symmetrize}),
      sources, damping, iterations);
  handle.destroy();
}

TEST(personalized_pagerank, is_that_of_the_oracle) {
  for (const test_graph& whole : test_graphs::in_turn()) {
    const std::size_t vertices = test_graphs::expected_graph(whole, {}).ids.size();
    if (vertices == 0) continue;  // no source
    for (const std::size_t source : {std::size_t{0}, vertices / 2, vertices - 1}) {
      expect_personal_ranks(whole, true, {{source, 1}}, 0.85, 12);
      expect_personal_ranks(whole, false, {{source, 1}}, 0.5, 7);
    }
    if (vertices > 1) expect_personal_ranks(whole, false, {{0, 0.75}, {vertices - 1, 0.25}}, 0.85, 7);
  }
}

TEST(personalized_pagerank, is_that_of_the_oracle_at_hubs) {
  for (const test_graph& whole : test_graphs::hubs()) {
    expect_personal_ranks(whole, true, {{0, 1}}, 0.85, 12);
    expect_personal_ranks(whole, false, {{20, 1}}, 0.85, 5);
  }
}

TEST(personalized_pagerank, is_the_same_where_vertices_are_scattered) {
  for (const test_graph& whole : test_graphs::in_turn()) {
    if (whole.name != "no_vertex") expect_personal_ranks(whole, false, {{0, 1}}, 0.85, 5, {.hash = true});
  }
}

TEST(personalized_pagerank, may_stay_at_the_source_or_never_go_back) {
  for (const double damping : {0.0, 1.0})
    expect_personal_ranks(test_graphs::all()[11], true, {{3, 1}}, damping, 9);
  expect_personal_ranks(test_graphs::all()[11], true, {{3, 1}}, 0.85, 0);
}

// From `sources`, one by one and all at once.
template <class Shares>
void expect_ranks_from(graph::distributed_graph handle, const verify::simple_graph& simple,
                       const std::vector<std::size_t>& sources, const Shares& shares) {
  constexpr int iterations = 9;
  const auto ranks = graph::property<rank_lanes>::create(handle);
  const auto of_source = graph::property<double>::create(handle);
  personalized_pageranks_by<Shares> all{ranks, {}, sources.size(), 0.85, 0, 0, {}, shares};
  for (std::size_t k = 0; k < sources.size(); ++k) all.sources[k] = handle.here().numbers.number(sources[k]);
  gas::run(all, handle, {.most_supersteps = iterations});
  for (std::size_t k = 0; k < sources.size(); ++k) {
    SCOPED_TRACE("source " + std::to_string(sources[k]));
    const auto right = verify::personalized_pagerank(simple, {{sources[k], 1.0}}, 0.85, iterations, true);
    const auto expect_near = [&](const std::vector<double>& found) {
      ASSERT_EQ(found.size(), right.size());
      for (std::size_t v = 0; v < found.size(); ++v)
        ASSERT_NEAR(found[v], right[v], 1e-12 * right[v]) << "vertex " << v;
    };
    copy_ranks(handle, ranks, k, of_source);
    expect_near(test_graphs::by_position(handle, of_source));
    const auto restarts = restarts_of(handle, {{sources[k], 1}});
    personalized_pagerank_by<Shares> one{of_source, restarts, 0.85, 0, 0, 0, shares};
    gas::run(one, handle, {.most_supersteps = iterations});
    restarts.destroy();
    expect_near(test_graphs::by_position(handle, of_source));
  }
  of_source.destroy();
  ranks.destroy();
}

void expect_ranks_from_several(const test_graph& whole, bool symmetrize, bool by_weights,
                               const graph::partition_options& cut = {}) {
  SCOPED_TRACE(whole.name + (symmetrize ? ", symmetrized" : ", directed"));
  const graph::edge_forms forms = gas::forms_for<personalized_pagerank, personalized_pageranks>();
  const graph::distributed_graph handle = test_graphs::build(
      whole, {.symmetrize = symmetrize, .partition = cut, .keep = by_weights ? by_weight(forms) : forms});
  const verify::simple_graph simple(whole.list.edges,
                                    {.vertex_count = whole.vertex_count, .symmetrize = symmetrize},
                                    by_weights ? whole.list.weights : std::vector<float>());
  const std::size_t n = simple.vertex_count();
  std::vector<std::size_t> sources;
  for (std::size_t k = 0; k < std::min(n, rank_lanes::count); ++k) sources.push_back((k * (n / 8) + k) % n);
  if (n == 0) {
    // no source
  } else if (by_weights) {
    const auto weights = sum_weights<double>(handle);
    expect_ranks_from(handle, simple, sources, shares_by_weight<double>{weights.sums});
    weights.sums.destroy();
  } else {
    expect_ranks_from(handle, simple, sources, equal_shares{});
  }
  handle.destroy();
}

TEST(personalized_pagerank, from_several_sources_is_that_of_the_oracle) {
  for (const test_graph& whole : test_graphs::in_turn()) {
    expect_ranks_from_several(whole, true, false);
    expect_ranks_from_several(whole, false, false, {.hash = true});
    expect_ranks_from_several(test_graphs::with_weights(whole), true, true, {.hash = true});
    expect_ranks_from_several(test_graphs::with_weights(whole), false, true);
  }
}

TEST(personalized_pagerank, from_several_sources_is_that_of_the_oracle_at_hubs) {
  for (const test_graph& whole : test_graphs::hubs()) expect_ranks_from_several(whole, true, false);
}

// The slowest source decides: of a vertex without edges the ranks do not change.   0 - 1   2
TEST(personalized_pagerank, from_several_sources_ends_when_all_have_converged) {
  const graph::distributed_graph handle = test_graphs::build(
      {"pair", {{{0, 1}}, {}}, 3}, {.symmetrize = true, .keep = gas::forms_for<personalized_pageranks>()});
  const auto ranks = graph::property<rank_lanes>::create(handle);
  for (const std::size_t used : {1, 2}) {
    personalized_pageranks program{ranks, {}, used, 0.5, 1e-3};
    program.sources = {handle.here().numbers.number(2), handle.here().numbers.number(0)};
    EXPECT_EQ(gas::run(program, handle).supersteps, used == 1 ? 1 : 11);
  }
  ranks.destroy();
  handle.destroy();
}

//   0 -> 1, 0 -> 2, 0 -> 3: all three have equal ranks; 4 is not reached
TEST(personalized_pagerank, finds_the_highest_ranks) {
  const graph::distributed_graph handle = test_graphs::build(
      {"star", {{{0, 1}, {0, 2}, {0, 3}}, {}}, 5}, {.keep = gas::forms_for<personalized_pageranks>()});
  const auto ranks = graph::property<rank_lanes>::create(handle);
  personalized_pageranks program{ranks, {}, 1, 0.5, 1e-9};
  program.sources[0] = handle.here().numbers.number(0);
  gas::run(program, handle);
  const auto targets_of = [&](std::size_t most) {
    std::vector<std::uint64_t> targets;
    for (const auto& e : highest_ranks(handle, ranks, 0, 0, most)) targets.push_back(e.target);
    return targets;
  };
  EXPECT_EQ(targets_of(0), std::vector<std::uint64_t>());
  EXPECT_EQ(targets_of(3), (std::vector<std::uint64_t>{0, 1, 2}));
  EXPECT_EQ(targets_of(9), (std::vector<std::uint64_t>{0, 1, 2, 3}));
  ranks.destroy();
  handle.destroy();
}

// Back and forth on one edge all rank moves at first, and the change shrinks by the damping:   0 - 1
TEST(personalized_pagerank, ends_when_ranks_change_by_less_than_the_tolerance) {
  const graph::distributed_graph handle = test_graphs::build(
      {"pair", {{{0, 1}}, {}}, {}}, {.symmetrize = true, .keep = gas::forms_for<personalized_pagerank>()});
  personalized_pagerank program{graph::property<double>::create(handle), restarts_of(handle, {{0, 1}}), 0.5,
                                1e-3};
  const gas::run_report report = gas::run(program, handle);
  EXPECT_TRUE(report.ended);
  EXPECT_EQ(report.supersteps, 11);  // the k-th changes by 2 * 0.5 ^ k
  EXPECT_DOUBLE_EQ(program.change, 2 * std::pow(0.5, report.supersteps));
  program.restarts.destroy();
  program.ranks.destroy();
  handle.destroy();
}

TEST(personalized_pagerank, is_that_of_the_oracle_whatever_else_the_graph_keeps) {
  for (const bool symmetrized : {false, true}) {
    test_graphs::expect_program_in_all_forms<personalized_pagerank>(
        symmetrized, [](const test_graphs::kept_graph& kept) {
          expect_personal_ranks(kept.handle, *kept.simple, {{100, 1}}, 0.85, 5);
        });
  }
}

}  // namespace
}  // namespace orujo::internal::algorithms
