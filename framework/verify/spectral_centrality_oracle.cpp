#include "framework/verify/spectral_centrality_oracle.hpp"

#include <cmath>
#include <cstddef>

namespace orujo::internal::verify {
namespace {

using numbers = std::vector<long double>;

// Every vertex's walks, longer by an edge at their end.
numbers lengthened(const simple_graph& graph, const numbers& walks) {
  numbers longer(walks.size());
  for (std::size_t u = 0; u < walks.size(); ++u) {
    const auto targets = graph.out_neighbors(u);
    const auto weights = graph.out_weights(u);
    for (std::size_t k = 0; k < targets.size(); ++k)
      longer[targets[k]] += walks[u] * (weights.empty() ? 1.0L : static_cast<long double>(weights[k]));
  }
  return longer;
}

void normalize(numbers& scores) {
  long double squares = 0;
  for (const long double score : scores) squares += score * score;
  if (squares == 0) return;
  for (long double& score : scores) score /= std::sqrt(squares);
}

std::vector<double> rounded(const numbers& scores) { return {scores.begin(), scores.end()}; }

}  // namespace

std::vector<double> katz_scores(const simple_graph& graph, double alpha, double beta, bool normalized,
                                int iterations) {
  numbers walks(graph.vertex_count(), static_cast<long double>(beta)), sums(walks.size());
  for (int length = 0; length < iterations; ++length) {
    for (std::size_t v = 0; v < sums.size(); ++v) sums[v] += walks[v];
    walks = lengthened(graph, walks);
    for (long double& walk : walks) walk *= static_cast<long double>(alpha);
  }
  if (normalized) normalize(sums);
  return rounded(sums);
}

std::vector<double> eigenvector_scores(const simple_graph& graph, int iterations) {
  numbers walks(graph.vertex_count(), 1.0L);
  normalize(walks);
  for (int step = 0; step < iterations; ++step) {
    const numbers longer = lengthened(graph, walks);
    for (std::size_t v = 0; v < walks.size(); ++v) walks[v] += longer[v];
    normalize(walks);
  }
  return rounded(walks);
}

// An iteration multiplies by a weight and by a factor, sums, and adds. All terms are positive, so errors of
// iterations add up. Eigenvector scores of the last iteration have been scaled by a norm, which is off by as
// much as they are and by half of the roundings of its sum. Scales of earlier iterations, whatever they are,
// leave all ratios as they are.
double error_of_spectral_scores(double sum_roundings, int iterations, double vertices) {
  return std::ldexp(2 * iterations * (sum_roundings + 4) + vertices / 2 + 4, -53);
}

}  // namespace orujo::internal::verify
