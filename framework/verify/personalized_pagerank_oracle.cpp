#include "framework/verify/personalized_pagerank_oracle.hpp"

#include <cstddef>

#include "framework/verify/compensated_sum.hpp"

namespace orujo::verify {

std::vector<double> personalized_pagerank(const simple_graph& graph, std::size_t source, double damping,
                                          int iterations) {
  std::vector<double> walkers(graph.vertex_count(), 0.0);
  if (!walkers.empty()) walkers[source] = 1;
  for (int i = 0; i < iterations; ++i) {
    std::vector<compensated_sum> next(walkers.size());
    for (std::size_t u = 0; u < walkers.size(); ++u) {
      const auto targets = graph.out_neighbors(u);
      for (const std::size_t v : targets)
        next[v].add(damping * walkers[u] / static_cast<double>(targets.size()));
      next[source].add((targets.empty() ? 1 : 1 - damping) * walkers[u]);
    }
    for (std::size_t v = 0; v < walkers.size(); ++v) walkers[v] = next[v].value();
  }
  return walkers;
}

}  // namespace orujo::verify
