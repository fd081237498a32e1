#include "framework/verify/spanning_forest_oracle.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <tuple>

namespace orujo::internal::verify {

std::vector<plain_edge<float>> minimum_spanning_forest(const simple_graph& graph) {
  std::vector<plain_edge<float>> edges;
  for (std::size_t v = 0; v < graph.vertex_count(); ++v) {
    for (std::size_t k = 0; k < graph.out_degree(v); ++k) {
      const std::size_t other = graph.out_neighbors(v)[k];
      const float weight = graph.out_weights(v).empty() ? 1.0f : graph.out_weights(v)[k];
      edges.push_back({std::min(v, other), std::max(v, other), weight});
    }
  }
  std::sort(edges.begin(), edges.end(), [](const auto& a, const auto& b) {
    return std::tie(a.value, a.source, a.target) < std::tie(b.value, b.source, b.target);
  });
  std::vector<std::size_t> parents(graph.vertex_count());
  std::iota(parents.begin(), parents.end(), 0);
  const auto root = [&](std::size_t v) {
    for (; parents[v] != v; v = parents[v]) parents[v] = parents[parents[v]];
    return v;
  };
  std::erase_if(edges, [&](const plain_edge<float>& e) {
    const std::size_t a = root(e.source), b = root(e.target);
    parents[a] = b;
    return a == b;
  });
  std::sort(edges.begin(), edges.end());
  return edges;
}

}  // namespace orujo::internal::verify
