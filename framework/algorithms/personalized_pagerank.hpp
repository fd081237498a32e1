// PageRank from the point of view of some vertices, or of each of several.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "framework/algorithms/rank_shares.hpp"
#include "framework/gas/run.hpp"
#include "framework/graph/property.hpp"
#include "framework/graph/valued_edge.hpp"

namespace orujo::internal::algorithms {

// A vertex where surfers restart, by its number, and their share of all who do.
struct restart {
  std::uint64_t number;
  double share;
  template <class Archive>
  void serialize(Archive& archive) {
    archive(number, share);
  }
};

// [task; suspends] The shares as a property, 0 at other vertices. They are from 0 on and sum to 1. The last
// share of a repeated vertex counts. The caller destroys the property.
graph::property<double> restarts_at(graph::distributed_graph graph, const std::vector<restart>& restarts);

// Personalized PageRank, a vertex program. After Page, Brin, Motwani, Winograd, "The PageRank Citation
// Ranking", Stanford 1999, section 6. A surfer who does not follow an edge, or is at a vertex without
// out-edges, restarts: at one source, or at vertices drawn by their shares. So the ranks sum to 1, and
// vertices that no source reaches have rank 0. Shares says how a vertex divides its rank (rank_shares.hpp).
template <class Shares>
struct personalized_pagerank_by {
  using value = double;  // what a vertex shows: its rank divided by the sum of the shares of its out-edges
  static constexpr auto combine = gas::sum{};
  struct aggregate {
    double change = 0, dangling = 0;
    void operator+=(const aggregate& other) {
      change += other.change;
      dangling += other.dangling;
    }
  };

  template <class V>
  V gather(V shown, V weight) const {
    return shares.of_edge(shown, weight);
  }

  double start(const graph::vertex& v, aggregate& sums) {
    return show(v, restarts.here()[v.local], ranks.here()[v.local], sums);
  }

  bool apply(const graph::vertex& v, double total, double& shown, aggregate& sums) {
    double& rank = ranks.here()[v.local];
    const double next = damping * total + returning * restarts.here()[v.local];
    sums.change += std::abs(next - rank);
    shown = show(v, next, rank, sums);
    return true;
  }

  // Ends when the ranks have changed by less than the tolerance in all.
  bool next(int superstep, const aggregate& last) {
    change = last.change;
    returning = 1 - damping + damping * last.dangling;
    return superstep == 0 || last.change >= tolerance;
  }

  void checkpoint(graph::program_state& kept) {
    kept.add("rank", ranks);
    kept.add("change", change);
  }
  double restored(const graph::vertex& v) {
    aggregate none;
    double& rank = ranks.here()[v.local];
    return show(v, rank, rank, none);
  }

  double show(const graph::vertex& v, double now, double& rank, aggregate& sums) const {
    rank = now;
    if (const double all = shares.of_all(v); all > 0) return now / all;
    sums.dangling += now;
    return 0;
  }

  graph::property<double> ranks, restarts;
  double damping;  // the probability to follow an edge
  double tolerance;
  double change = 0;     // of all ranks in the last superstep
  double returning = 0;  // rank that restarts in this one
  [[no_unique_address]] Shares shares = {};
};
// A vertex divides its rank equally.
using personalized_pagerank = personalized_pagerank_by<equal_shares>;

// A number for each of several sources.
struct rank_lanes {
  static constexpr std::size_t count = 8;
  std::array<double, count> of{};
  double& operator[](std::size_t k) { return of[k]; }
  double operator[](std::size_t k) const { return of[k]; }
  void operator+=(const rank_lanes& other) {
    for (std::size_t k = 0; k < count; ++k) of[k] += other.of[k];
  }
  friend rank_lanes operator+(rank_lanes a, const rank_lanes& b) {
    a += b;
    return a;
  }
  friend rank_lanes operator*(double factor, rank_lanes a) {
    for (double& each : a.of) each *= factor;
    return a;
  }
};

// Personalized PageRank from each of several sources, a vertex program: one pass over the edges serves all.
// Every source has ranks of its own, which are those of personalized_pagerank from it, but for rounding. The
// run ends when the ranks of each have changed by less than the tolerance.
//
// A vertex shows a cache line, so several sources cost hardly more than one where vertices are read from
// memory.
template <class Shares>
struct personalized_pageranks_by {
  using lanes = rank_lanes;
  using value = lanes;  // the ranks of a vertex, divided by the sum of the shares of its out-edges
  static constexpr auto combine = gas::sum{};
  struct aggregate {
    lanes change, dangling;
    void operator+=(const aggregate& other) {
      change += other.change;
      dangling += other.dangling;
    }
  };

  lanes gather(const lanes& shown, float weight) const { return shares.of_edge(1.0, double{weight}) * shown; }

  lanes start(const graph::vertex& v, aggregate& all) {
    lanes first;
    for (std::size_t k = 0; k < used; ++k) first[k] = v.number() == sources[k] ? 1 : 0;
    return show(v, first, all);
  }

  bool apply(const graph::vertex& v, const lanes& total, lanes& shown, aggregate& all) {
    lanes next = damping * total;
    for (std::size_t k = 0; k < used; ++k) next[k] += v.number() == sources[k] ? returning[k] : 0;
    const lanes& before = ranks[v];
    for (std::size_t k = 0; k < lanes::count; ++k) all.change[k] += std::abs(next[k] - before[k]);
    shown = show(v, next, all);
    return true;
  }

  bool next(int superstep, const aggregate& last) {
    change = 0;
    for (std::size_t k = 0; k < used; ++k) {
      change = std::fmax(change, last.change[k]);
      returning[k] = 1 - damping + damping * last.dangling[k];
    }
    return superstep == 0 || change >= tolerance;
  }

  void checkpoint(graph::program_state& kept) {
    kept.add("ranks", ranks);
    kept.add("change", change);
  }
  lanes restored(const graph::vertex& v) {
    aggregate none;
    return show(v, ranks[v], none);
  }

  lanes show(const graph::vertex& v, const lanes& now, aggregate& all) const {
    ranks[v] = now;
    if (const double out = shares.of_all(v); out > 0) return (1 / out) * now;
    all.dangling += now;
    return {};
  }

  graph::property<lanes> ranks;
  std::array<std::uint64_t, lanes::count> sources;  // their numbers, of which `used` count
  std::size_t used;
  double damping;  // the probability to follow an edge
  double tolerance;
  double change = 0;     // the largest of any source's ranks in the last superstep
  lanes returning = {};  // rank that goes back to each source in this one
  [[no_unique_address]] Shares shares = {};
};
// A vertex divides its ranks equally.
using personalized_pageranks = personalized_pageranks_by<equal_shares>;

// [task; suspends] Sets `to` to the ranks from source k.
void copy_ranks(graph::distributed_graph graph, graph::property<rank_lanes> ranks, std::size_t k,
                graph::property<double> to);

// [task; suspends] The `most` vertices of the highest ranks from source k, or fewer if others have rank 0, as
// edges from the position `source`. Equal ranks are in the order of positions, others descend.
std::vector<graph::valued_edge<double>> highest_ranks(graph::distributed_graph graph,
                                                      graph::property<rank_lanes> ranks, std::size_t k,
                                                      std::uint64_t source, std::size_t most);

}  // namespace orujo::internal::algorithms

namespace orujo::internal::gas {

// Compiled once, in the library.
extern template run_report run(algorithms::personalized_pagerank&, graph::distributed_graph,
                               const run_options&);
extern template run_report run(algorithms::personalized_pagerank_by<algorithms::shares_by_weight<double>>&,
                               graph::distributed_graph, const run_options&);
extern template run_report run(algorithms::personalized_pageranks&, graph::distributed_graph,
                               const run_options&);
extern template run_report run(algorithms::personalized_pageranks_by<algorithms::shares_by_weight<double>>&,
                               graph::distributed_graph, const run_options&);

}  // namespace orujo::internal::gas
