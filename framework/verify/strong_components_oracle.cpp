#include "framework/verify/strong_components_oracle.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <utility>

namespace orujo::internal::verify {
namespace {

// The vertices, those last of which a depth-first search has left first.
std::vector<std::size_t> in_reverse_postorder(const simple_graph& graph) {
  std::vector<std::size_t> left;
  std::vector<bool> seen(graph.vertex_count());
  std::vector<std::pair<std::size_t, std::size_t>> path;  // a vertex, and how many of its edges are done
  for (std::size_t start = 0; start < seen.size(); ++start) {
    if (seen[start]) continue;
    seen[start] = true;
    path.emplace_back(start, 0);
    while (!path.empty()) {
      auto& [vertex, done] = path.back();
      if (done == graph.out_degree(vertex)) {
        left.push_back(vertex);
        path.pop_back();
        continue;
      }
      const std::size_t target = graph.out_neighbors(vertex)[done++];
      if (seen[target]) continue;
      seen[target] = true;
      path.emplace_back(target, 0);
    }
  }
  return {left.rbegin(), left.rend()};
}

}  // namespace

std::vector<std::uint64_t> strongly_connected_components(const simple_graph& graph) {
  const std::size_t vertices = graph.vertex_count();
  std::vector<std::vector<std::size_t>> sources(vertices);
  for (std::size_t u = 0; u < vertices; ++u) {
    for (const std::size_t v : graph.out_neighbors(u)) sources[v].push_back(u);
  }
  std::vector<std::uint64_t> labels(vertices);
  std::vector<bool> assigned(vertices);
  for (const std::size_t start : in_reverse_postorder(graph)) {
    if (assigned[start]) continue;
    assigned[start] = true;
    std::vector<std::size_t> component = {start};
    std::size_t smallest = start;
    for (std::size_t k = 0; k < component.size(); ++k) {
      smallest = std::min(smallest, component[k]);
      for (const std::size_t u : sources[component[k]]) {
        if (assigned[u]) continue;
        assigned[u] = true;
        component.push_back(u);
      }
    }
    for (const std::size_t v : component) labels[v] = graph.ids()[smallest];
  }
  return labels;
}

std::vector<plain_edge<std::uint64_t>> condensation(const simple_graph& graph) {
  const std::vector<std::uint64_t>& ids = graph.ids();
  std::vector<std::size_t> components;
  for (const std::uint64_t id : strongly_connected_components(graph))
    components.push_back(static_cast<std::size_t>(std::ranges::lower_bound(ids, id) - ids.begin()));
  std::map<std::pair<std::size_t, std::size_t>, std::uint64_t> counts;
  for (std::size_t v = 0; v < graph.vertex_count(); ++v) {
    for (const std::size_t target : graph.out_neighbors(v)) {
      if (components[v] != components[target]) ++counts[{components[v], components[target]}];
    }
  }
  std::vector<plain_edge<std::uint64_t>> edges;
  for (const auto& [ends, count] : counts) edges.push_back({ends.first, ends.second, count});
  return edges;
}

}  // namespace orujo::internal::verify
