// Katz and eigenvector centrality: a vertex is central if central vertices lead to it.
#pragma once

#include <cmath>
#include <cstdint>

#include "framework/gas/run.hpp"
#include "framework/graph/distributed_graph.hpp"
#include "framework/graph/property.hpp"

namespace orujo::internal::algorithms {

// Katz centrality, a vertex program; vertices show their scores. Katz, "A New Status Index Derived from
// Sociometric Analysis", Psychometrika 18, 1953.
struct katz_centrality {
  using value = double;
  static constexpr auto combine = gas::sum{};
  struct aggregate {
    double change = 0, squares = 0;  // of the scores
    void operator+=(const aggregate& other) {
      change += other.change;
      squares += other.squares;
    }
  };

  template <class V>
  V gather(V shown, V weight) const {
    return shown * weight;
  }
  double start(const graph::vertex&, aggregate&) { return 0; }
  bool apply(const graph::vertex&, double total, double& shown, aggregate& sums) {
    const double score = alpha * total + beta;
    sums.change += std::abs(score - shown);
    sums.squares += score * score;
    shown = score;
    return true;
  }
  // Scores that are not finite stay so.
  bool next(int superstep, const aggregate& last) {
    growth = superstep > 1 ? last.change / change : 0;
    change = last.change;
    norm = std::sqrt(last.squares);
    return superstep == 0 || (change >= tolerance && std::isfinite(norm));
  }
  void checkpoint(graph::program_state& kept) {
    kept.add("change", change);
    kept.add("norm", norm);
  }

  double alpha, beta;
  double tolerance;   // ends when the scores change by less in all (L1 norm)
  double change = 0;  // in the last superstep
  double growth = 0;  // of the change; comes to alpha times the largest eigenvalue
  double norm = 0;    // of all scores (L2)
};

// Eigenvector centrality by power iteration, a vertex program. Bonacich, "Power and Centrality: A Family of
// Measures", American Journal of Sociology 92, 1987. It iterates with the adjacency matrix plus the identity,
// which has the same eigenvectors and converges on bipartite graphs, too. Vertices show scores that are still
// to be scaled, as the norm is known after all of them only. So a superstep sees how the one before it
// changed the scores.
struct eigenvector_centrality {
  using value = double;
  static constexpr auto combine = gas::sum{};
  using aggregate = katz_centrality::aggregate;

  template <class V>
  V gather(V shown, V weight) const {
    return shown * weight;
  }
  double start(const graph::vertex& v, aggregate& sums) {
    const double score = 1 / vertices;
    scores.here()[v.local] = score;
    sums.squares += score * score;
    return score;
  }
  bool apply(const graph::vertex& v, double total, double& shown, aggregate& sums) {
    const double score = scale * shown;
    sums.change += std::abs(score - scores.here()[v.local]);
    scores.here()[v.local] = score;
    shown = scale * total + score;
    sums.squares += shown * shown;
    return true;
  }
  // The first scores sum to 1, and are not scaled.
  bool next(int superstep, const aggregate& last) {
    change = last.change;
    scale = superstep > 0 && last.squares > 0 ? 1 / std::sqrt(last.squares) : 1;
    return superstep < 2 || (change >= tolerance && std::isfinite(change));
  }
  void checkpoint(graph::program_state& kept) {
    kept.add("scores", scores);
    kept.add("change", change);
    kept.add("scale", scale);
  }

  graph::property<double> scores;
  double vertices;    // of the graph
  double tolerance;   // ends when the scores have changed by less in all (L1 norm)
  double change = 0;  // in the last superstep but one
  double scale = 1;   // of what vertices show
};

// The end of both, and options of their supersteps.
struct spectral_options {
  double tolerance = 1e-6;  // ends when the scores change by less for each vertex, on average (L1 norm)
  int most_iterations = 1000;
  gas::run_options run = {};
};
// The parameters of Katz centrality.
struct katz_options {
  double alpha = 0.1;  // for each further edge
  double beta = 1;     // of every vertex
  bool normalized = true;
};
// The figures of a run.
struct spectral_report {
  int iterations = 0;
  double seconds = 0;
  double change = 0;       // of all scores in the last iteration
  double growth = 0;       // of the change from iteration to iteration, of Katz centrality
  bool converged = false;  // false: the scores are not to be used
};

// [task; suspends] Katz centrality: the score of a vertex is alpha times the sum of the scores of its
// in-neighbours, each times the weight of the edge, plus beta. If `normalized`, the squares sum to 1 in the
// end. It converges if alpha is less than 1 / the largest eigenvalue of the adjacency matrix, and diverges
// otherwise. Weights are not negative. They are 1 in a graph without weights, and parallel edges count each.
// The numbers of iterations and the scores, but for rounding, are those of NetworkX. Supports checkpoints.
spectral_report find_katz_centrality(graph::distributed_graph graph, graph::property<double> scores,
                                     const katz_options& katz = {}, const spectral_options& options = {});

// [task; suspends] Eigenvector centrality: the score of a vertex is proportional to the sum of the scores of
// its in-neighbours, each times the weight of the edge. So the scores are an eigenvector, of the largest
// eigenvalue. All begin equal, and their squares sum to 1. Where several strong components have the largest
// eigenvalue, the scores depend on the beginning, and convergence may take more iterations than the tolerance
// is small. Weights, parallel edges, iterations and checkpoints are as above. A run takes a superstep more
// than it has iterations.
spectral_report find_eigenvector_centrality(graph::distributed_graph graph, graph::property<double> scores,
                                            const spectral_options& options = {});

}  // namespace orujo::internal::algorithms

namespace orujo::internal::gas {

// Compiled once, in the library.
extern template run_report run(algorithms::katz_centrality&, graph::distributed_graph, property<double>,
                               const run_options&, const call_site&);
extern template run_report run(algorithms::eigenvector_centrality&, graph::distributed_graph,
                               const run_options&);

}  // namespace orujo::internal::gas
