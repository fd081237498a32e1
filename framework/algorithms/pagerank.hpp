// PageRank as a vertex program.
#pragma once

#include <cmath>
#include <cstdint>
#include <span>

#include "framework/algorithms/rank_shares.hpp"
#include "framework/gas/run.hpp"
#include "framework/graph/device_state.hpp"
#include "framework/graph/distributed_graph.hpp"

namespace orujo::internal::algorithms {

// The damping factor of pagerank, and the end of its iterations.
struct pagerank_settings {
  double damping = 0.85;     // the probability to follow an edge; from 0 to below 1
  double tolerance = 1e-6;   // ends when the ranks change by less in all (L1 norm); with floats at least 5e-7
  int iterations = 0;        // exactly this number, whatever the tolerance; 0: until the tolerance is reached
  bool redistribute = true;  // the rank of vertices without out-edges over all vertices; else it is lost
};

// PageRank, a vertex program, with ranks of type Real, float or double. Run it on every core. Page, Brin,
// Motwani, Winograd, "The PageRank Citation Ranking", Stanford 1999.
//
// Shares says how a vertex divides its rank among its out-edges (rank_shares.hpp): equally, or by weights.
// All edges of a vertex whose shares sum to 0 count as none.
//
// Without rounding an iteration changes the ranks by at most damping times as much as the one before it. A
// run therefore also ends when the change has not decreased for as many iterations as halve it. The change is
// then only rounding, and the ranks come no nearer in this precision (docs/design/rounding.md).
template <class Real, class Shares = equal_shares>
struct pagerank {
  using value = Real;  // what a vertex shows: its rank divided by the sum of the shares of its out-edges
  static constexpr auto combine = gas::sum{};
  struct aggregate {
    double change = 0, dangling = 0;
    ORUJO_HOST_DEVICE void operator+=(const aggregate& other) {
      change += other.change;
      dangling += other.dangling;
    }
  };

  // The ranks are the locale's, by own vertex.
  pagerank(const graph::locale_graph& g, std::span<Real> ranks, const pagerank_settings& wanted,
           const Shares& its_shares = {})
      : settings(wanted),
        shares(its_shares),
        rank(g.own_values(ranks).data()),
        vertices(static_cast<double>(g.vertices)),
        damping(static_cast<Real>(wanted.damping)),
        halving(wanted.damping > 0.5 ? static_cast<int>(std::ceil(std::log(0.5) / std::log(wanted.damping)))
                                     : 1) {
    shares.enter();
  }

  template <class V>
  ORUJO_HOST_DEVICE V gather(V shown, V weight) const {
    return shares.of_edge(shown, weight);
  }

  Real start(const graph::vertex& v, aggregate& sums) {
    return show(v, static_cast<Real>(1 / vertices), sums);
  }

  ORUJO_HOST_DEVICE bool apply(const graph::vertex& v, Real total, Real& shown, aggregate& sums) {
    const Real next = base + damping * total;
    sums.change += std::abs(static_cast<double>(next) - rank[v.local]);
    shown = show(v, next, sums);
    return true;
  }

  ORUJO_HOST_DEVICE Real show(const graph::vertex& v, Real now, aggregate& sums) {
    rank[v.local] = now;
    const auto all = shares.of_all(v);
    if (all > 0) return now / static_cast<Real>(all);
    sums.dangling += now;
    return 0;
  }

  bool next(int superstep, const aggregate& last) {
    change = last.change;
    if (superstep == 1 || change < least_change) {
      least_change = change;
      least_at = superstep;
    }
    const double given = settings.redistribute ? last.dangling : 0;
    base = static_cast<Real>((1 - settings.damping + settings.damping * given) / vertices);
    if (settings.iterations > 0) return superstep < settings.iterations;
    return superstep == 0 || (!reaches_tolerance() && superstep - least_at < halving);
  }

  // 0 if the tolerance ends the run.
  int planned_supersteps() const { return settings.iterations; }
  // Called after the run. True if its last iteration changed the ranks by less than the tolerance.
  bool reaches_tolerance() const { return change < settings.tolerance; }

  void checkpoint(graph::program_state& kept) {
    kept.add_vertices("rank", rank);
    kept.add("change", change);
    kept.add("least_change", least_change);
    kept.add("least_at", least_at);
  }
  Real restored(const graph::vertex& v) {
    aggregate none;
    return show(v, rank[v.local], none);
  }

  void device_state(graph::device_state& on) { on.vertices(rank); }

  pagerank_settings settings;
  [[no_unique_address]] Shares shares;
  Real* rank;
  double vertices;
  Real damping;
  int halving;              // iterations in which the change becomes half of what it was, or less
  Real base = 0;            // of every rank in this superstep
  double change = 0;        // in the last superstep
  double least_change = 0;  // of all so far
  int least_at = 0;         // superstep of that change
};

}  // namespace orujo::internal::algorithms

namespace orujo::internal::gas {

// Compiled once, in the library.
extern template run_report run(algorithms::pagerank<float>&, graph::locale_graph&, const run_options&);
extern template run_report run(algorithms::pagerank<double>&, graph::locale_graph&, const run_options&);
extern template run_report run(algorithms::pagerank<float, algorithms::shares_by_weight<float>>&,
                               graph::locale_graph&, const run_options&);
extern template run_report run(algorithms::pagerank<double, algorithms::shares_by_weight<double>>&,
                               graph::locale_graph&, const run_options&);

}  // namespace orujo::internal::gas
