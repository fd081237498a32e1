// The bounds of ranks: what rounding does stays within, and what is wrong does not.
#include "framework/verify/rank_bounds.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>
#include <vector>

#include "framework/verify/rank_comparison.hpp"
#include "tests/framework/hub_graphs.hpp"

namespace orujo::internal::verify {
namespace {

using test_graphs::test_graph;

constexpr double damping = 0.85;

simple_graph graph_of(const test_graph& whole, bool symmetrize) {
  return simple_graph(whole.list.edges, {.vertex_count = whole.vertex_count, .symmetrize = symmetrize});
}

// Iterations in any type, edge by edge; after each every rank is multiplied by what spoil(its vertex)
// returns.
template <class Real>
std::vector<Real> naive_ranks(const simple_graph& graph, unsigned iterations, double d,
                              const std::function<Real(std::size_t)>& spoil) {
  const std::size_t n = graph.vertex_count();
  std::vector<Real> ranks(n);
  for (std::size_t v = 0; v < n; ++v) ranks[v] = static_cast<Real>(1 / static_cast<double>(n)) * spoil(v);
  for (unsigned i = 0; i < iterations; ++i) {
    std::vector<Real> next(n, 0);
    double stuck = 0;
    for (std::size_t u = 0; u < n; ++u) {
      if (graph.out_degree(u) == 0) stuck += static_cast<double>(ranks[u]);
      for (const std::size_t v : graph.out_neighbors(u))
        next[v] += ranks[u] / static_cast<Real>(graph.out_degree(u));
    }
    for (std::size_t v = 0; v < n; ++v)
      ranks[v] =
          (static_cast<Real>((1 - d + d * stuck) / static_cast<double>(n)) + static_cast<Real>(d) * next[v]) *
          spoil(v);
  }
  return ranks;
}

std::vector<test_graph> some_graphs() {
  return {test_graphs::star(700), test_graphs::star_of_stars(9, 30), test_graphs::all()[8],
          test_graphs::all()[11], test_graphs::all()[13]};
}

// All errors of one sign are the worst case, and add up to what the oracle says, but for products of them.
TEST(rank_bounds, are_reached_where_every_iteration_errs_by_as_much) {
  constexpr double error = 1e-7;
  for (const test_graph& whole : some_graphs()) {
    for (const bool symmetrize : {false, true}) {
      const simple_graph graph = graph_of(whole, symmetrize);
      const pagerank_ranks exact = pagerank(graph, {.damping = damping, .iterations = 30});
      const auto spoilt = naive_ranks<double>(graph, 30, damping, [&](std::size_t) { return 1 + error; });
      for (std::size_t v = 0; v < spoilt.size(); ++v) {
        ASSERT_NEAR(spoilt[v] - exact.ranks[v], error * exact.sensitivity[v],
                    1e-4 * error * exact.sensitivity[v])
            << whole.name << ", vertex " << v;
        EXPECT_LE(exact.sensitivity[v], 31.001 * exact.ranks[v]);
      }
    }
  }
}

rank_comparison compared(const simple_graph& graph, const pagerank_ranks& exact,
                         const std::vector<double>& ranks, const rank_arithmetic& how) {
  rank_comparison comparison(graph.ids(), exact.ranks, rank_bounds(exact, how));
  for (std::size_t v = 0; v < ranks.size(); ++v) comparison.add(graph.ids()[v], ranks[v]);
  return comparison;
}

// A sum one by one is rounded as often as a vertex has in-edges.
TEST(rank_bounds, hold_for_single_precision) {
  for (const test_graph& whole : some_graphs()) {
    const simple_graph graph = graph_of(whole, true);
    const pagerank_ranks exact = pagerank(graph, {.damping = damping, .iterations = 40});
    const auto found = naive_ranks<float>(graph, 40, damping, [](std::size_t) { return 1.0f; });
    const rank_comparison comparison =
        compared(graph, exact, {found.begin(), found.end()},
                 {single_unit, static_cast<double>(graph.most_in_edges()), damping});
    EXPECT_TRUE(comparison.agrees()) << whole.name << ": " << comparison.describe();
  }
}

// How the engine computes, at a hub: 32 vectors of a bundle, three roundings of the total per segment.
constexpr rank_arithmetic as_computed[] = {{single_unit, 32 + 3 * 8, damping},
                                           {double_unit, 1e6 / 8 + 3 * 8, damping}};

TEST(rank_bounds, leave_no_room_for_what_is_wrong) {
  for (const test_graph& whole : {test_graphs::star(3000), test_graphs::star_of_stars(30, 100),
                                  test_graphs::all()[11], test_graphs::all()[13]}) {
    const simple_graph graph = graph_of(whole, false);
    const auto ranks_with = [&](const pagerank_options& options) { return pagerank(graph, options).ranks; };
    const pagerank_ranks exact = pagerank(graph, {.damping = damping, .iterations = 60});
    const std::size_t hub = static_cast<std::size_t>(
        std::max_element(exact.ranks.begin(), exact.ranks.end()) - exact.ranks.begin());
    const std::size_t least = static_cast<std::size_t>(
        std::min_element(exact.ranks.begin(), exact.ranks.end()) - exact.ranks.begin());
    for (const rank_arithmetic& how : as_computed) {
      const auto agrees = [&](const std::vector<double>& ranks) {
        return compared(graph, exact, ranks, how).agrees();
      };
      EXPECT_TRUE(agrees(exact.ranks)) << whole.name;
      for (const std::size_t v : {hub, least}) {
        for (const double factor : {0.0, 0.999, 1.001, 2.0}) {
          std::vector<double> wrong = exact.ranks;
          wrong[v] *= factor;
          EXPECT_FALSE(agrees(wrong)) << whole.name << ", vertex " << v << " times " << factor;
        }
      }
      std::vector<double> larger = exact.ranks;
      for (double& rank : larger) rank *= 1.02;
      EXPECT_FALSE(agrees(larger)) << whole.name;
      std::vector<double> exchanged = exact.ranks;
      std::swap(exchanged[hub], exchanged[least]);
      EXPECT_FALSE(agrees(exchanged)) << whole.name;
      EXPECT_FALSE(
          agrees(ranks_with({.damping = damping, .iterations = 60, .dangling = dangling_policy::ignore})))
          << whole.name << ", rank without out-edges is lost";
      EXPECT_FALSE(agrees(ranks_with({.damping = 0.86, .iterations = 60}))) << whole.name;
      EXPECT_FALSE(agrees(std::vector<double>(exact.ranks.size(), NAN))) << whole.name;
    }
  }
}

// The largest relation of an error to its bound, if what others know of ranks follows by changes of which
// each is off by `error`, to the side that side(vertex) gives.
double share_of_bound(const simple_graph& graph, double error, unsigned iterations,
                      const std::function<double(std::size_t)>& side) {
  const pagerank_ranks exact =
      pagerank(graph, {.damping = damping, .iterations = iterations, .error_of_changes = error});
  const std::size_t n = graph.vertex_count();
  std::vector<double> ranks(n, 1 / static_cast<double>(n)), known = ranks;
  for (unsigned i = 0; i < iterations; ++i) {
    std::vector<double> next(n, 0);
    double stuck = 0;
    for (std::size_t u = 0; u < n; ++u) {
      if (graph.out_degree(u) == 0) stuck += ranks[u];
      for (const std::size_t v : graph.out_neighbors(u))
        next[v] += known[u] / static_cast<double>(graph.out_degree(u));
    }
    for (std::size_t v = 0; v < n; ++v) {
      ranks[v] = (1 - damping + damping * stuck) / static_cast<double>(n) + damping * next[v];
      known[v] += (ranks[v] - known[v]) * (1 + error * side(v));
    }
  }
  double most = 0;
  for (std::size_t v = 0; v < n; ++v) {
    const double off = std::abs(ranks[v] - exact.ranks[v]);
    if (off > 1e-12 * exact.ranks[v]) most = std::max(most, off / exact.error_by_changes[v]);
  }
  return most;
}

TEST(rank_bounds, hold_where_ranks_are_known_by_changes) {
  for (const test_graph& whole : some_graphs()) {
    for (const bool symmetrize : {false, true}) {
      const simple_graph graph = graph_of(whole, symmetrize);
      for (const unsigned iterations : {1u, 2u, 3u, 30u}) {
        const auto share = [&](const std::function<double(std::size_t)>& side) {
          return share_of_bound(graph, 1e-4, iterations, side);
        };
        EXPECT_LE(share([](std::size_t) { return 1; }), 1.001) << whole.name << ", " << iterations;
        EXPECT_LE(share([](std::size_t v) { return v % 2 == 0 ? -1 : 1; }), 1.001)
            << whole.name << ", " << iterations;
      }
      // In the second iteration what is known has been off once.
      if (symmetrize) {
        EXPECT_GE(share_of_bound(graph, 1e-4, 2, [](std::size_t) { return 1; }), 0.9) << whole.name;
      }
    }
  }
  EXPECT_EQ(share_of_bound(graph_of(test_graphs::star(700), true), 0, 30, [](std::size_t) { return 1; }), 0);
}

TEST(rank_bounds, of_changes_leave_no_room_either) {
  const simple_graph graph = graph_of(test_graphs::all()[11], false);
  const pagerank_ranks exact = pagerank(graph, {.damping = damping, .iterations = 186});
  for (const rank_arithmetic& how : as_computed) {
    const std::vector<double> allowed = rank_bounds_by_changes(exact, how, 1e-6, 60);
    for (std::size_t v = 0; v < allowed.size(); ++v) {
      EXPECT_GT(allowed[v], rank_bounds(exact, how)[v]);
      EXPECT_LT(allowed[v], 0.01 * exact.ranks[v]) << "vertex " << v;
    }
  }
}

TEST(rank_bounds, of_scores_grow_with_iterations_and_sums) {
  EXPECT_LT(error_of_scores(64, 10, 1e6), 1e-11);
  EXPECT_LT(error_of_scores(64, 1000, 1e6), 1e-10);
  EXPECT_LT(error_of_scores(64, 10, 1e6), error_of_scores(64, 20, 1e6));
  EXPECT_LT(error_of_scores(64, 10, 1e6), error_of_scores(80, 10, 1e6));
}

}  // namespace
}  // namespace orujo::internal::verify
