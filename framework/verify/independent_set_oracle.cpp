#include "framework/verify/independent_set_oracle.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>

namespace orujo::internal::verify {

std::vector<std::uint32_t> greedy_independent_set(const simple_graph& graph,
                                                  std::span<const std::uint64_t> priorities) {
  std::vector<std::size_t> order(graph.vertex_count());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t v) { return priorities[v]; });
  std::vector<std::uint32_t> inside(order.size(), 0);
  for (const std::size_t v : order) {
    const auto neighbours = graph.out_neighbors(v);
    const bool free = std::ranges::none_of(neighbours, [&](std::size_t u) { return inside[u] != 0; });
    inside[v] = free ? 1 : 0;
  }
  return inside;
}

}  // namespace orujo::internal::verify
