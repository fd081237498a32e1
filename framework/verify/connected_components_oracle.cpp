#include "framework/verify/connected_components_oracle.hpp"

#include <algorithm>
#include <numeric>

namespace orujo::internal::verify {

std::vector<std::uint64_t> connected_components(const simple_graph& graph) {
  std::vector<std::size_t> parents(graph.vertex_count());
  std::iota(parents.begin(), parents.end(), std::size_t{0});
  const auto root = [&](std::size_t v) {
    while (parents[v] != v) v = parents[v] = parents[parents[v]];
    return v;
  };
  for (std::size_t u = 0; u < parents.size(); ++u) {
    for (const std::size_t v : graph.out_neighbors(u)) {
      const std::size_t a = root(u), b = root(v);
      parents[std::max(a, b)] = std::min(a, b);
    }
  }
  std::vector<std::uint64_t> labels;
  labels.reserve(parents.size());
  for (std::size_t v = 0; v < parents.size(); ++v) labels.push_back(graph.ids()[root(v)]);
  return labels;
}

}  // namespace orujo::internal::verify
