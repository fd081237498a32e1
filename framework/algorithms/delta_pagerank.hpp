// PageRank by changes: only vertices whose rank has changed enough tell their neighbours.
#pragma once

#include <cstdint>
#include <span>

#include "framework/gas/property.hpp"
#include "framework/gas/run.hpp"
#include "system/loops/collectives.hpp"

namespace orujo::algorithms {

// Delta caching, as in PowerGraph (Gonzalez et al., OSDI 2012, section 4.2). Ranks begin with their constant
// part, (1 - damping)/vertices, and grow by what in-neighbours tell. What a vertex has not told stays with it
// until it is more than `tolerance` of its rank; so in the end less than `tolerance` of all rank is untold,
// and as all changes are of the same sign the ranks sum to at most tolerance * damping / (1 - damping) too
// little, relatively. The rank of vertices without out-edges is lost on the way; spreading it over all
// vertices only scales the result (the solution is linear in its constant part), which finish() does.
template <class Real>
struct delta_pagerank {
  using value = Real;  // the change of its rank that a vertex tells, divided among its out-edges
  static constexpr auto combine = gas::sum{};
  static constexpr bool incremental = true, deltas = true;
  struct aggregate {
    double change = 0;       // of the ranks
    std::uint64_t told = 0;  // edges along which there is news
    void operator+=(const aggregate& other) {
      change += other.change;
      told += other.told;
    }
  };

  // ranks, untold: the locale's, by own vertex.
  delta_pagerank(const graph::locale_graph& g, std::span<Real> ranks, std::span<Real> untold, double damping,
                 double tolerance)
      : ranks_(ranks.data()),
        untold_(untold.data()),
        first_((1 - damping) / static_cast<double>(g.vertices)),
        damping_(static_cast<Real>(damping)),
        tolerance_(static_cast<Real>(tolerance)) {}

  template <class V>
  V gather(V shown, V) const {
    return shown;
  }

  Real start(const gas::vertex& v, aggregate& sums) {
    untold_[v.local] = ranks_[v.local] = static_cast<Real>(first_);
    Real shown{};
    if (starts(v)) shown = tell(v, sums);
    return shown;
  }
  bool starts(const gas::vertex& v) const { return v.out_degree > 0; }

  bool apply(const gas::vertex& v, Real total, Real& shown, aggregate& sums) {
    const Real more = damping_ * total;
    ranks_[v.local] += more;
    untold_[v.local] += more;
    sums.change += static_cast<double>(more);
    if (v.out_degree == 0 || untold_[v.local] <= tolerance_ * ranks_[v.local]) return false;
    shown = tell(v, sums);
    return true;
  }

  bool next(int, const aggregate& last) {
    change = last.change;
    told += last.told;
    return true;
  }

  // [task; suspends; collective over the job] After the run: makes the calling core's ranks, `mine` of them
  // all, sum to 1 with those of the others.
  static void finish(std::span<Real> mine) {
    double sum = 0;
    for (const Real rank : mine) sum += static_cast<double>(rank);
    const double all = loops::all_reduce(sum, [](double a, double b) { return a + b; });
    for (Real& rank : mine) rank = static_cast<Real>(static_cast<double>(rank) / all);
  }

  double change = 0;       // in the last superstep but for that after which nobody had anything to tell
  std::uint64_t told = 0;  // edges with news, over all supersteps

 private:
  Real tell(const gas::vertex& v, aggregate& sums) {
    const Real news = untold_[v.local];
    untold_[v.local] = 0;
    sums.told += v.out_degree;
    return news / static_cast<Real>(v.out_degree);
  }

  Real* const ranks_;
  Real* const untold_;
  const double first_;
  const Real damping_, tolerance_;
};

}  // namespace orujo::algorithms
