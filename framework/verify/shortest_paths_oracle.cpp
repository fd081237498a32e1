#include "framework/verify/shortest_paths_oracle.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <queue>
#include <utility>

namespace orujo::internal::verify {
namespace {

// A path is rounded once for each of its edges but the first. It has fewer edges than there are vertices, and
// those that weigh something are at most as many as the lightest of them goes into its length.
double bound(const simple_graph& graph, double longest) {
  float lightest = std::numeric_limits<float>::infinity();
  bool whole = true;
  for (std::size_t v = 0; v < graph.vertex_count(); ++v) {
    for (const float weight : graph.out_weights(v)) {
      if (weight > 0) lightest = std::min(lightest, weight);
      whole &= std::trunc(weight) == weight;
    }
  }
  if (whole && longest <= 0x1p53) return 0;
  const double edges =
      std::min(static_cast<double>(graph.vertex_count()), 1 + 1.01 * longest / static_cast<double>(lightest));
  return 1.01 * edges * 0x1p-53;  // with the long doubles' own
}

}  // namespace

template <class Distance>
std::vector<Distance> shortest_paths(const simple_graph& graph, std::size_t source) {
  using entry = std::pair<Distance, std::size_t>;  // distance, vertex
  std::vector<Distance> distances(graph.vertex_count(), std::numeric_limits<Distance>::infinity());
  std::priority_queue<entry, std::vector<entry>, std::greater<entry>> waiting;
  if (distances.empty()) return distances;
  distances[source] = 0;
  waiting.push({Distance{0}, source});
  while (!waiting.empty()) {
    const auto [distance, u] = waiting.top();
    waiting.pop();
    if (distance > distances[u]) continue;
    const auto neighbors = graph.out_neighbors(u);
    const auto weights = graph.out_weights(u);
    for (std::size_t k = 0; k < neighbors.size(); ++k) {
      const Distance further = distance + static_cast<Distance>(weights.empty() ? 1.0f : weights[k]);
      if (further >= distances[neighbors[k]]) continue;
      distances[neighbors[k]] = further;
      waiting.push({further, neighbors[k]});
    }
  }
  return distances;
}

template std::vector<float> shortest_paths<float>(const simple_graph&, std::size_t);
template std::vector<double> shortest_paths<double>(const simple_graph&, std::size_t);
template std::vector<long double> shortest_paths<long double>(const simple_graph&, std::size_t);

expected_distances precise_distances(const simple_graph& graph, std::size_t source) {
  expected_distances expected;
  double longest = 0;
  for (const long double distance : shortest_paths<long double>(graph, source)) {
    expected.distances.push_back(static_cast<double>(distance));
    if (distance < std::numeric_limits<long double>::infinity())
      longest = std::max(longest, expected.distances.back());
  }
  expected.relative_error = bound(graph, longest);
  return expected;
}

}  // namespace orujo::internal::verify
