#include "framework/algorithms/pagerank.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <type_traits>
#include <utility>
#include <vector>

#include "framework/gas/load.hpp"
#include "framework/vectors/sum_rounding.hpp"
#include "framework/verify/pagerank_oracle.hpp"
#include "framework/verify/rank_bounds.hpp"
#include "system/report/merged_metrics.hpp"
#include "tests/framework/graphs_in_all_forms.hpp"
#include "tests/framework/hub_graphs.hpp"
#include "tests/framework/job_property.hpp"
#include "tests/sanitized.hpp"

namespace orujo::internal::algorithms {
namespace {

using test_graphs::test_graph;

struct outcome {
  gas::run_report run;
  bool reached = false;
};

template <class Real>
outcome run_pagerank(graph::distributed_graph handle, graph::property<Real> ranks,
                     const pagerank_settings& settings, const vectors::edge_loop_options& edges = {}) {
  return loops::on_all_cores([=] {
    pagerank<Real> program(handle.here(), ranks.here(), settings);
    const gas::run_report run = gas::run(program, handle.here(), {.most_supersteps = 1000, .edges = edges});
    return outcome{run, program.reaches_tolerance()};
  });
}

// Edge by edge in long double, of which the sums need no care.
std::vector<long double> serial_ranks(const test_graph& whole, const graph::build_options& build,
                                      const pagerank_settings& settings) {
  const test_graphs::expected_graph graph(whole, build);
  const std::size_t n = graph.ids.size();
  std::vector<std::size_t> out(n, 0);
  for (const auto& e : graph.edges) ++out[e.source];
  std::vector<long double> ranks(n, 1.0L / static_cast<long double>(n));
  const long double d = settings.damping;
  for (int i = 0; i < settings.iterations; ++i) {
    long double stuck = 0;
    for (std::size_t v = 0; v < n; ++v) stuck += out[v] == 0 && settings.redistribute ? ranks[v] : 0;
    std::vector<long double> next(n, (1 - d + d * stuck) / static_cast<long double>(n));
    for (const auto& e : graph.edges)
      next[e.target] += d * ranks[e.source] / static_cast<long double>(out[e.source]);
    ranks = std::move(next);
  }
  return ranks;
}

template <class Real>
void expect_ranks(const test_graph& whole, const graph::build_options& build,
                  const pagerank_settings& settings, const vectors::edge_loop_options& edges = {}) {
  const graph::distributed_graph handle = test_graphs::build(whole, build);
  const auto ranks = graph::property<Real>::create(handle);
  const outcome found = run_pagerank(handle, ranks, settings, edges);
  const std::vector<Real> all = test_graphs::by_vertex_number(ranks);
  const std::vector<long double> exact = serial_ranks(whole, build, settings);
  ASSERT_EQ(found.run.supersteps, settings.iterations);
  ASSERT_EQ(all.size(), exact.size());
  const verify::rank_arithmetic how{
      std::is_same_v<Real, float> ? verify::single_unit : verify::double_unit,
      vectors::pull_roundings<Real>(vectors::shape_of_sums(handle), 2 * test_graphs::hub_edges),
      settings.damping};
  // A rank has gone through all iterations at most.
  const double allowed =
      (settings.iterations + 1) * verify::error_of_iteration(how, static_cast<double>(exact.size()));
  EXPECT_LT(allowed, sizeof(Real) == sizeof(float) ? 2e-4 : 1e-10);
  for (std::size_t v = 0; v < all.size(); ++v) {
    const auto right = static_cast<double>(exact[v]);
    ASSERT_NEAR(all[v], right, allowed * right) << whole.name << ", vertex " << v;
  }
  if (settings.redistribute) {
    EXPECT_NEAR(std::accumulate(all.begin(), all.end(), 0.0), 1, allowed) << whole.name;
  }
  ranks.destroy();
  handle.destroy();
}

TEST(pagerank, is_that_of_a_serial_computation_at_hubs) {
  for (const test_graph& whole : test_graphs::hubs()) {
    for (const bool symmetrize : {true, false}) {
      graph::build_options build;
      build.symmetrize = symmetrize;
      expect_ranks<float>(whole, build, {.iterations = 25});
      expect_ranks<double>(whole, build, {.iterations = 25, .redistribute = false});
    }
  }
}

TEST(pagerank, is_that_of_a_serial_computation_however_edges_are_cut) {
  for (const test_graph& whole : {test_graphs::hubs()[0], test_graphs::hubs()[3], test_graphs::all()[11]}) {
    for (const std::size_t segments : {1, 5}) {
      graph::build_options build;
      build.symmetrize = true;
      build.segments = segments;
      for (const std::size_t chunk : {1, 50})
        expect_ranks<float>(whole, build, {.damping = 0.7, .iterations = 12},
                            {vectors::edge_schedule::usersched, chunk});
    }
  }
}

struct rounded_run {
  std::vector<float> ranks;  // by position
  std::uint64_t bytes = 0;   // of values that were sent
  vectors::sum_shape sums;
};

rounded_run run_with(bool rounded, const test_graph& whole, graph::edge_placement placement, int iterations) {
  const graph::distributed_graph handle =
      test_graphs::build(whole, {.symmetrize = true, .partition = {.placement = placement}});
  const auto ranks = graph::property<float>::create(handle);
  const auto sent = [] { return report::merged_metrics().count_of("exchange.value_bytes"); };
  const std::uint64_t before = sent();
  loops::on_all_cores([=] {
    pagerank<float> program(handle.here(), ranks.here(), {.iterations = iterations});
    gas::run(program, handle.here(), {.most_supersteps = iterations, .rounded = rounded});
  });
  const std::uint64_t after = sent();
  rounded_run found{test_graphs::by_position(handle, ranks), after - before, vectors::shape_of_sums(handle)};
  ranks.destroy();
  handle.destroy();
  return found;
}

// The first exchange is exact, so of 15 iterations 14 take half.
TEST(pagerank, rounded_is_within_its_bound_and_takes_half_the_bytes) {
  const test_graph whole = test_graphs::all().back();
  const verify::simple_graph simple(whole.list.edges,
                                    {.vertex_count = whole.vertex_count, .symmetrize = true});
  for (const auto placement : {graph::edge_placement::by_target, graph::edge_placement::grid}) {
    for (const unsigned iterations : {2u, 15u}) {
      const auto run = [&](bool to_be_rounded) {
        return run_with(to_be_rounded, whole, placement, static_cast<int>(iterations));
      };
      const rounded_run exact = run(false), rounded = run(true);
      const double error_of_change =
          rounded.sums.guest_totals > 0 ? verify::rounded_twice : verify::rounded_once;
      const verify::pagerank_ranks right =
          verify::pagerank(simple, {.iterations = iterations, .error_of_changes = error_of_change});
      const std::vector<double> allowed = verify::rank_bounds(
          right, {verify::single_unit, vectors::pull_roundings<float>(rounded.sums, 1e4), 0.85});
      for (std::size_t v = 0; v < allowed.size(); ++v)
        ASSERT_NEAR(rounded.ranks[v], right.ranks[v], allowed[v]) << "vertex " << v;
      if (locales() == 1) continue;
      EXPECT_NE(rounded.ranks, exact.ranks) << "nothing was rounded";
      if (iterations == 15) {
        EXPECT_LT(rounded.bytes, 0.56 * static_cast<double>(exact.bytes));
      }
    }
  }
}

outcome settle_on(const test_graph& whole, double damping, double tolerance) {
  const graph::distributed_graph handle = test_graphs::build(whole, {.symmetrize = true});
  const auto ranks = graph::property<float>::create(handle);
  const outcome found = run_pagerank(handle, ranks, {.damping = damping, .tolerance = tolerance});
  ranks.destroy();
  handle.destroy();
  return found;
}

// Leaves have equal ranks, so that their rounding errors add up at the hub. Hub and leaves change by turns.
// In single precision a change of 1.5e-6 may go on endlessly with many leaves.
TEST(pagerank, reaches_the_tolerance_on_stars) {
  for (const auto& [leaves, tolerance] : {std::pair(3000u, 1e-6), {4096u, 1e-6}, {20'000u, 4e-6}}) {
    const outcome found = settle_on(test_graphs::star(leaves), 0.85, tolerance);
    EXPECT_TRUE(found.run.ended && found.reached) << leaves << " leaves";
    EXPECT_LE(found.run.supersteps, 100) << leaves << " leaves";
  }
}

TEST(pagerank, ends_where_all_that_changes_is_rounding) {
  for (const double damping : {0.3, 0.85, 0.95}) {
    for (std::uint64_t leaves = 20; leaves < 60; leaves += sanitized ? 7 : 1) {
      const outcome found = settle_on(test_graphs::star(leaves), damping, 1e-12);
      EXPECT_TRUE(found.run.ended) << leaves << " leaves, damping " << damping;
      EXPECT_LT(found.run.supersteps, 500) << leaves << " leaves, damping " << damping;
    }
  }
}

template <class Real>
void expect_weighted_ranks(const test_graph& whole, bool symmetrize, const graph::partition_options& cut,
                           bool redistribute) {
  SCOPED_TRACE(whole.name + (symmetrize ? ", symmetrized" : ", directed"));
  const pagerank_settings settings{.iterations = 9, .redistribute = redistribute};
  const graph::distributed_graph handle = test_graphs::build(
      whole,
      {.symmetrize = symmetrize, .partition = cut, .keep = by_weight(gas::forms_for<pagerank<Real>>())});
  const verify::simple_graph simple(
      whole.list.edges, {.vertex_count = whole.vertex_count, .symmetrize = symmetrize}, whole.list.weights);
  const auto weights = sum_weights<Real>(handle);
  const auto ranks = graph::property<Real>::create(handle);
  loops::on_all_cores([=, shares = shares_by_weight<Real>{weights.sums}] {
    pagerank<Real, shares_by_weight<Real>> program(handle.here(), ranks.here(), settings, shares);
    gas::run(program, handle.here());
  });
  const verify::pagerank_ranks right = verify::pagerank(
      simple,
      {.iterations = 9,
       .dangling = redistribute ? verify::dangling_policy::redistribute : verify::dangling_policy::ignore,
       .weighted = true});
  const std::vector<Real> found = test_graphs::by_position(handle, ranks);
  const double allowed = std::is_same_v<Real, float> ? 1e-4 : 1e-12;
  ASSERT_EQ(found.size(), right.ranks.size());
  for (std::size_t v = 0; v < found.size(); ++v)
    ASSERT_NEAR(found[v], right.ranks[v], allowed * right.ranks[v]) << "vertex " << v;
  ranks.destroy();
  weights.sums.destroy();
  handle.destroy();
}

TEST(pagerank, follows_edges_by_their_weights) {
  for (const test_graph& whole : test_graphs::in_turn()) {
    for (const bool symmetrize : {true, false}) {
      expect_weighted_ranks<double>(test_graphs::with_weights(whole), symmetrize, {}, !symmetrize);
      expect_weighted_ranks<float>(test_graphs::with_weights(whole), symmetrize, {.hash = true}, symmetrize);
    }
    expect_weighted_ranks<double>(whole, false, {}, true);  // weights, if any, are the graph's own
  }
}

//   1 <-(3)- 0 -(1)-> 2, 2 -(0)-> 0: vertices 1 and 2 lead nowhere
TEST(pagerank, divides_ranks_by_hand_computed_shares) {
  const test_graph whole{"fork", {{{0, 1}, {0, 2}, {2, 0}}, {3, 1, 0}}, {}};
  const graph::distributed_graph handle =
      test_graphs::build(whole, {.keep = by_weight(gas::forms_for<pagerank<double>>())});
  const auto weights = sum_weights<double>(handle);
  EXPECT_EQ(weights.least, 4);
  EXPECT_EQ(weights.largest, 4);
  EXPECT_TRUE(weights.fit_single_precision());
  const auto ranks = graph::property<double>::create(handle);
  loops::on_all_cores([=, shares = shares_by_weight<double>{weights.sums}] {
    pagerank<double, shares_by_weight<double>> program(handle.here(), ranks.here(),
                                                       {.damping = 0.5, .iterations = 1}, shares);
    gas::run(program, handle.here());
  });
  const std::vector<double> found = test_graphs::by_position(handle, ranks);
  constexpr double everywhere = 0.5 / 3 + 0.5 * (2.0 / 3) / 3;
  EXPECT_NEAR(found[0], everywhere, 1e-15);
  EXPECT_NEAR(found[1], everywhere + 0.5 / 3 * 0.75, 1e-15);
  EXPECT_NEAR(found[2], everywhere + 0.5 / 3 * 0.25, 1e-15);
  ranks.destroy();
  weights.sums.destroy();
  handle.destroy();
}

TEST(pagerank, knows_weights_beyond_single_precision) {
  for (const float weight : {1e-25f, 1e25f}) {
    const test_graph whole{"one edge", {{{0, 1}}, {weight}}, {}};
    const graph::distributed_graph handle =
        test_graphs::build(whole, {.keep = by_weight(gas::forms_for<pagerank<float>>())});
    const auto weights = sum_weights<float>(handle);
    EXPECT_FALSE(weights.fit_single_precision());
    weights.sums.destroy();
    handle.destroy();
  }
}

TEST(pagerank, is_that_of_the_oracle_whatever_else_the_graph_keeps) {
  for (const bool symmetrized : {false, true}) {
    test_graphs::expect_program_in_all_forms<pagerank<double>>(
        symmetrized, [](const test_graphs::kept_graph& kept) {
          const auto ranks = graph::property<double>::create(kept.handle);
          loops::on_all_cores([=, graph = kept.handle] {
            pagerank<double> program(graph.here(), ranks.here(), {.iterations = 8});
            gas::run(program, graph.here());
          });
          const std::vector<double> found = test_graphs::by_vertex_number(ranks);
          ranks.destroy();
          const std::vector<double> right = verify::pagerank(*kept.simple, {.iterations = 8}).ranks;
          ASSERT_EQ(found.size(), right.size());
          for (std::size_t v = 0; v < right.size(); ++v)
            ASSERT_NEAR(found[v], right[v], 1e-12 * right[v]) << v;
        });
  }
}

}  // namespace
}  // namespace orujo::internal::algorithms
