#include "framework/verify/hits_oracle.hpp"

#include <cmath>
#include <cstddef>

#include "framework/verify/compensated_sum.hpp"

namespace orujo::internal::verify {
namespace {

std::vector<double> normalized(const std::vector<compensated_sum>& sums) {
  compensated_sum squares;
  for (const compensated_sum& s : sums) squares.add(s.value() * s.value());
  const double norm = std::sqrt(squares.value());
  std::vector<double> scores;
  for (const compensated_sum& s : sums) scores.push_back(norm > 0 ? s.value() / norm : 0);
  return scores;
}

}  // namespace

hits_scores hits(const simple_graph& graph, int iterations) {
  const std::size_t vertices = graph.vertex_count();
  const std::vector<double> equal(vertices, 1 / std::sqrt(static_cast<double>(vertices)));
  hits_scores scores{equal, equal};
  for (int i = 0; i < iterations; ++i) {
    std::vector<compensated_sum> authorities(vertices), hubs(vertices);
    for (std::size_t u = 0; u < vertices; ++u) {
      for (const std::size_t v : graph.out_neighbors(u)) authorities[v].add(scores.hubs[u]);
    }
    scores.authorities = normalized(authorities);
    for (std::size_t u = 0; u < vertices; ++u) {
      for (const std::size_t v : graph.out_neighbors(u)) hubs[u].add(scores.authorities[v]);
    }
    scores.hubs = normalized(hubs);
  }
  return scores;
}

}  // namespace orujo::internal::verify
