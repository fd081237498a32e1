#include "framework/verify/label_propagation_oracle.hpp"

#include <map>

namespace orujo::verify {

std::vector<std::uint64_t> label_propagation(const simple_graph& graph, int iterations) {
  std::vector<std::uint64_t> labels = graph.ids();
  for (int i = 0; i < iterations; ++i) {
    std::vector<std::map<std::uint64_t, std::size_t>> votes(labels.size());
    for (std::size_t u = 0; u < labels.size(); ++u) {
      for (const std::size_t v : graph.out_neighbors(u)) {
        ++votes[v][labels[u]];
        ++votes[u][labels[v]];
      }
    }
    for (std::size_t v = 0; v < labels.size(); ++v) {
      std::size_t most = 0;
      for (const auto& [label, count] : votes[v]) {
        if (count <= most) continue;
        most = count;
        labels[v] = label;
      }
    }
  }
  return labels;
}

}  // namespace orujo::verify
