#include "framework/verify/personalized_pagerank_oracle.hpp"

#include <cstddef>
#include <span>

#include "framework/verify/compensated_sum.hpp"

namespace orujo::internal::verify {

std::vector<double> personalized_pagerank(const simple_graph& graph,
                                          const std::vector<std::pair<std::size_t, double>>& sources,
                                          double damping, int iterations, bool weighted) {
  std::vector<double> walkers(graph.vertex_count(), 0.0);
  for (const auto& [source, share] : sources) walkers[source] = share;
  for (int i = 0; i < iterations; ++i) {
    std::vector<compensated_sum> next(walkers.size());
    compensated_sum ended;
    for (std::size_t u = 0; u < walkers.size(); ++u) {
      const auto targets = graph.out_neighbors(u);
      const auto weights = weighted ? graph.out_weights(u) : std::span<const float>();
      compensated_sum all;
      for (const float weight : weights) all.add(weight);
      const double out = weights.empty() ? static_cast<double>(targets.size()) : all.value();
      if (out > 0) {
        for (std::size_t k = 0; k < targets.size(); ++k)
          next[targets[k]].add(damping * walkers[u] * (weights.empty() ? 1 : double{weights[k]}) / out);
      }
      ended.add((out > 0 ? 1 - damping : 1) * walkers[u]);
    }
    for (const auto& [source, share] : sources) next[source].add(share * ended.value());
    for (std::size_t v = 0; v < walkers.size(); ++v) walkers[v] = next[v].value();
  }
  return walkers;
}

}  // namespace orujo::internal::verify
