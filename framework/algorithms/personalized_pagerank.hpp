// PageRank from the point of view of one vertex.
#pragma once

#include <cmath>
#include <cstdint>

#include "framework/gas/run.hpp"
#include "framework/graph/property.hpp"

namespace orujo::algorithms {

// Personalized PageRank from one source, a vertex program. After Page, Brin, Motwani, Winograd, "The PageRank
// Citation Ranking", Stanford 1999, section 6. A surfer who does not follow an edge, or is at a vertex
// without out-edges, returns to the source instead of going anywhere. So the ranks sum to 1, and vertices
// that the source does not reach have rank 0.
struct personalized_pagerank {
  using value = double;  // what a vertex shows: its rank divided among its out-edges
  static constexpr auto combine = gas::sum{};
  struct aggregate {
    double change = 0, dangling = 0;
    void operator+=(const aggregate& other) {
      change += other.change;
      dangling += other.dangling;
    }
  };

  template <class V>
  V gather(V shown, V) const {
    return shown;
  }

  double start(const graph::vertex& v, aggregate& sums) {
    return show(v, v.number() == source ? 1 : 0, ranks.here()[v.local], sums);
  }

  bool apply(const graph::vertex& v, double total, double& shown, aggregate& sums) {
    double& rank = ranks.here()[v.local];
    const double next = damping * total + (v.number() == source ? returning : 0);
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

  static double show(const graph::vertex& v, double now, double& rank, aggregate& sums) {
    rank = now;
    if (v.out_degree > 0) return now / v.out_degree;
    sums.dangling += now;
    return 0;
  }

  graph::property<double> ranks;
  std::uint64_t source;  // its number
  double damping;        // the probability to follow an edge
  double tolerance;
  double change = 0;     // of all ranks in the last superstep
  double returning = 0;  // rank that goes back to the source in this one
};

}  // namespace orujo::algorithms

namespace orujo::gas {

// Compiled once, in the library.
extern template run_report run(algorithms::personalized_pagerank&, graph::distributed_graph,
                               const run_options&);

}  // namespace orujo::gas
