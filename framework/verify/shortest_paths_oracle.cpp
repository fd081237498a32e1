#include "framework/verify/shortest_paths_oracle.hpp"

#include <functional>
#include <limits>
#include <queue>
#include <utility>

namespace orujo::verify {

std::vector<float> shortest_paths(const simple_graph& graph, std::size_t source) {
  using entry = std::pair<float, std::size_t>;  // distance, vertex
  std::vector<float> distances(graph.vertex_count(), std::numeric_limits<float>::infinity());
  std::priority_queue<entry, std::vector<entry>, std::greater<entry>> waiting;
  if (distances.empty()) return distances;
  distances[source] = 0;
  waiting.push({0.0f, source});
  while (!waiting.empty()) {
    const auto [distance, u] = waiting.top();
    waiting.pop();
    if (distance > distances[u]) continue;
    const auto neighbors = graph.out_neighbors(u);
    const auto weights = graph.out_weights(u);
    for (std::size_t k = 0; k < neighbors.size(); ++k) {
      const float further = distance + (weights.empty() ? 1.0f : weights[k]);
      if (further >= distances[neighbors[k]]) continue;
      distances[neighbors[k]] = further;
      waiting.push({further, neighbors[k]});
    }
  }
  return distances;
}

}  // namespace orujo::verify
