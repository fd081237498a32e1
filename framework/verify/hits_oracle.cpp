#include "framework/verify/hits_oracle.hpp"

#include <cmath>
#include <cstddef>

namespace orujo::verify {
namespace {

std::vector<double> normalized(std::vector<double> scores) {
  double squares = 0;
  for (const double s : scores) squares += s * s;
  for (double& s : scores) s = squares > 0 ? s / std::sqrt(squares) : 0;
  return scores;
}

}  // namespace

hits_scores hits(const simple_graph& graph, int iterations) {
  const std::size_t vertices = graph.vertex_count();
  const std::vector<double> equal = normalized(std::vector<double>(vertices, 1.0));
  hits_scores scores{equal, equal};
  for (int i = 0; i < iterations; ++i) {
    std::vector<double> authorities(vertices, 0.0), hubs(vertices, 0.0);
    for (std::size_t u = 0; u < vertices; ++u) {
      for (const std::size_t v : graph.out_neighbors(u)) authorities[v] += scores.hubs[u];
    }
    scores.authorities = normalized(authorities);
    for (std::size_t u = 0; u < vertices; ++u) {
      for (const std::size_t v : graph.out_neighbors(u)) hubs[u] += scores.authorities[v];
    }
    scores.hubs = normalized(hubs);
  }
  return scores;
}

}  // namespace orujo::verify
