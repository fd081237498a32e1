#include "framework/verify/personalized_pagerank_oracle.hpp"

#include <utility>

namespace orujo::verify {

std::vector<double> personalized_pagerank(const simple_graph& graph, std::size_t source, double damping,
                                          int iterations) {
  std::vector<double> walkers(graph.vertex_count(), 0.0);
  if (!walkers.empty()) walkers[source] = 1;
  for (int i = 0; i < iterations; ++i) {
    std::vector<double> next(walkers.size(), 0.0);
    for (std::size_t u = 0; u < walkers.size(); ++u) {
      const auto targets = graph.out_neighbors(u);
      for (const std::size_t v : targets)
        next[v] += damping * walkers[u] / static_cast<double>(targets.size());
      next[source] += (targets.empty() ? 1 : 1 - damping) * walkers[u];
    }
    walkers = std::move(next);
  }
  return walkers;
}

}  // namespace orujo::verify
