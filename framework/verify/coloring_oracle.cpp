#include "framework/verify/coloring_oracle.hpp"

#include <algorithm>
#include <numeric>
#include <set>

namespace orujo::internal::verify {

std::vector<std::int32_t> greedy_coloring(const simple_graph& graph,
                                          std::span<const std::uint64_t> tie_breakers) {
  std::vector<std::size_t> order(graph.vertex_count());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, [&](std::size_t a, std::size_t b) {
    if (graph.out_degree(a) != graph.out_degree(b)) return graph.out_degree(a) > graph.out_degree(b);
    return tie_breakers[a] < tie_breakers[b];
  });
  std::vector<std::int32_t> colors(order.size(), -1);
  for (const std::size_t v : order) {
    std::set<std::int32_t> taken;
    for (const std::size_t u : graph.out_neighbors(v)) taken.insert(colors[u]);
    std::int32_t color = 0;
    while (taken.contains(color)) ++color;
    colors[v] = color;
  }
  return colors;
}

std::size_t count_conflicts(const simple_graph& graph, std::span<const std::int32_t> colors) {
  std::size_t conflicts = 0;
  for (std::size_t u = 0; u < graph.vertex_count(); ++u) {
    for (const std::size_t v : graph.out_neighbors(u)) conflicts += u != v && colors[u] == colors[v] ? 1 : 0;
  }
  return conflicts;
}

}  // namespace orujo::internal::verify
