#include "framework/verify/betweenness_oracle.hpp"

#include <cstdint>

#include "framework/verify/breadth_first_search_oracle.hpp"

namespace orujo::verify {

std::vector<double> betweenness(const simple_graph& graph, std::span<const std::size_t> sources) {
  const std::size_t n = graph.vertex_count();
  std::vector<double> sums(n);
  for (const std::size_t source : sources) {
    const std::vector<std::int64_t> levels = search_levels(graph, source);
    std::vector<std::vector<std::size_t>> by_level(n + 1);
    for (std::size_t v = 0; v < n; ++v) {
      if (levels[v] != unreached) by_level[static_cast<std::size_t>(levels[v])].push_back(v);
    }
    std::vector<double> paths(n), dependencies(n);
    paths[source] = 1;
    for (const auto& level : by_level) {
      for (const std::size_t v : level) {
        for (const std::size_t w : graph.out_neighbors(v))
          if (levels[w] == levels[v] + 1) paths[w] += paths[v];
      }
    }
    for (std::size_t l = by_level.size(); l-- > 0;) {
      for (const std::size_t v : by_level[l]) {
        for (const std::size_t w : graph.out_neighbors(v))
          if (levels[w] == levels[v] + 1) dependencies[v] += paths[v] / paths[w] * (1 + dependencies[w]);
        if (v != source) sums[v] += dependencies[v];
      }
    }
  }
  return sums;
}

}  // namespace orujo::verify
