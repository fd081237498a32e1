// PageRank by changes: only vertices whose rank has changed enough report to their neighbours.
#pragma once

#include <cmath>
#include <cstdint>
#include <span>

#include "framework/gas/run.hpp"
#include "framework/graph/property.hpp"
#include "system/collectives/collectives.hpp"

namespace orujo::internal::algorithms {

// PageRank by changes, a vertex program: only vertices whose rank has changed enough report to their
// neighbours. It is delta caching, as in PowerGraph (Gonzalez et al., OSDI 2012, section 4.2). Run it on
// every core.
//
// Ranks begin as 1/vertices and change by what in-neighbours report. A vertex keeps its unreported change
// until it is more than `tolerance` of its rank. So in the end less than `tolerance` of all rank is
// unreported, and the ranks' error is at most tolerance * damping / (1 - damping) of their sum (L1 norm).
//
// The rank of vertices without out-edges is lost on the way. To spread it over all vertices would only scale
// the result, which is linear in the constant part of the ranks. finish() does so.
template <class Real>
struct delta_pagerank {
  using value = Real;  // the change of its rank that a vertex reports, divided among its out-edges
  static constexpr auto combine = gas::sum{};
  static constexpr bool incremental = true, deltas = true;
  struct aggregate {
    double change = 0;       // of the ranks, not reported yet
    std::uint64_t told = 0;  // edges along which changes are reported
    void operator+=(const aggregate& other) {
      change += other.change;
      told += other.told;
    }
  };

  // `ranks` and `untold` are the locale's, by own vertex. The tolerance is above 0 and below 1.
  delta_pagerank(const graph::locale_graph& g, std::span<Real> ranks, std::span<Real> untold, double damping,
                 double tolerance)
      : ranks_(g.own_values(ranks).data()),
        untold_(g.own_values(untold).data()),
        first_(static_cast<Real>(1 / static_cast<double>(g.vertices))),
        damping_(static_cast<Real>(damping)),
        tolerance_(static_cast<Real>(tolerance)) {}

  template <class V>
  V gather(V shown, V) const {
    return shown;
  }

  // Reports 1/vertices. The first iteration's rank is (1 - damping)/vertices plus what the vertex receives,
  // so its change is less by 1/vertices.
  Real start(const graph::vertex& v, aggregate& sums) {
    ranks_[v.local] = (1 - damping_) * first_;
    untold_[v.local] = first_;
    const Real shown = starts(v) ? tell(v, sums) : Real{};
    untold_[v.local] = -damping_ * first_;
    return shown;
  }
  bool starts(const graph::vertex& v) const { return v.out_degree > 0; }

  bool apply(const graph::vertex& v, Real total, Real& shown, aggregate& sums) {
    const Real rank = ranks_[v.local] += damping_ * total;
    const Real untold = untold_[v.local] += damping_ * total;
    sums.change += std::abs(static_cast<double>(untold));
    if (v.out_degree == 0 || std::abs(untold) <= tolerance_ * rank) return false;
    shown = tell(v, sums);
    return true;
  }

  bool next(int, const aggregate& last) {
    change = last.change;
    told += last.told;
    return true;
  }

  void checkpoint(graph::program_state& kept) {
    kept.add_vertices("rank", ranks_);
    kept.add_vertices("untold", untold_);
    kept.add("change", change);
    kept.add("told", told);
  }

  // [task; suspends; collective over the job] Called after the run. Scales the ranks of the calling core, all
  // of which are in `mine`, so that all cores' ranks sum to 1.
  static void finish(std::span<Real> mine) {
    double sum = 0;
    for (const Real rank : mine) sum += static_cast<double>(rank);
    const double all = collectives::all_reduce(sum, [](double a, double b) { return a + b; });
    for (Real& rank : mine) rank = static_cast<Real>(static_cast<double>(rank) / all);
  }

  double change = 0;       // as in aggregate, before the last superstep
  std::uint64_t told = 0;  // edges along which changes were reported, over all supersteps

 private:
  Real tell(const graph::vertex& v, aggregate& sums) {
    const Real news = untold_[v.local];
    untold_[v.local] = 0;
    sums.told += v.out_degree;
    return news / static_cast<Real>(v.out_degree);
  }

  Real* const ranks_;
  Real* const untold_;
  const Real first_, damping_, tolerance_;
};

}  // namespace orujo::internal::algorithms
