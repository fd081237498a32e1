#include "framework/verify/label_propagation_oracle.hpp"

#include <algorithm>
#include <map>
#include <numeric>

namespace orujo::internal::verify {

std::vector<std::uint64_t> label_propagation(const simple_graph& graph, int iterations, bool weighted) {
  std::vector<std::uint64_t> labels = graph.ids();
  for (int i = 0; i < iterations; ++i) {
    std::vector<std::map<std::uint64_t, std::vector<double>>> votes(labels.size());
    for (std::size_t u = 0; u < labels.size(); ++u) {
      const auto targets = graph.out_neighbors(u);
      const auto weights = graph.out_weights(u);
      for (std::size_t k = 0; k < targets.size(); ++k) {
        const double weight = weighted && !weights.empty() ? static_cast<double>(weights[k]) : 1;
        votes[targets[k]][labels[u]].push_back(weight);
        votes[u][labels[targets[k]]].push_back(weight);
      }
    }
    for (std::size_t v = 0; v < labels.size(); ++v) {
      double most = 0;
      for (auto& [label, given] : votes[v]) {
        std::ranges::sort(given);
        const double sum = std::accumulate(given.begin(), given.end(), 0.0);
        if (sum <= most) continue;
        most = sum;
        labels[v] = label;
      }
    }
  }
  return labels;
}

}  // namespace orujo::internal::verify
