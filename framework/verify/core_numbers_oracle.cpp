#include "framework/verify/core_numbers_oracle.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <queue>
#include <utility>

namespace orujo::internal::verify {

std::vector<std::uint32_t> core_numbers(const simple_graph& graph) {
  const std::size_t n = graph.vertex_count();
  std::vector<std::size_t> left(n);                    // edges to vertices that are still there
  std::vector<std::vector<std::size_t>> with_left(1);  // vertices that had so many at some time
  for (std::size_t v = 0; v < n; ++v) {
    left[v] = graph.out_degree(v);
    with_left.resize(std::max(with_left.size(), left[v] + 1));
    with_left[left[v]].push_back(v);
  }
  std::vector<std::uint32_t> cores(n);
  std::vector<bool> removed(n);
  for (std::size_t k = 0; k < with_left.size(); ++k) {
    while (!with_left[k].empty()) {
      const std::size_t v = with_left[k].back();
      with_left[k].pop_back();
      if (removed[v]) continue;
      removed[v] = true;
      cores[v] = static_cast<std::uint32_t>(k);
      for (const std::size_t u : graph.out_neighbors(v)) {
        if (removed[u] || left[u] <= k) continue;
        with_left[--left[u]].push_back(u);
      }
    }
  }
  return cores;
}

weighted_cores weighted_core_numbers(const simple_graph& graph) {
  using whole = unsigned __int128;
  constexpr int bits = 90;
  const std::size_t n = graph.vertex_count();
  const auto weight_at = [&](std::size_t v, std::size_t k) {
    return graph.out_weights(v).empty() ? 1.0 : static_cast<double>(graph.out_weights(v)[k]);
  };
  std::size_t most_edges = 1;
  double largest = 0;
  for (std::size_t v = 0; v < n; ++v) {
    most_edges = std::max(most_edges, graph.out_degree(v));
    for (std::size_t k = 0; k < graph.out_degree(v); ++k) largest = std::max(largest, weight_at(v, k));
  }
  int exponent = 0;
  std::frexp(largest, &exponent);
  const auto whole_at = [&](std::size_t v, std::size_t k) {
    return static_cast<whole>(std::ldexp(weight_at(v, k), bits - exponent));
  };
  std::vector<whole> left(n);
  using entry = std::pair<whole, std::size_t>;
  std::priority_queue<entry, std::vector<entry>, std::greater<>> queue;
  for (std::size_t v = 0; v < n; ++v) {
    for (std::size_t k = 0; k < graph.out_degree(v); ++k) left[v] += whole_at(v, k);
    queue.push({left[v], v});
  }
  weighted_cores cores;
  cores.numbers.resize(n);
  std::vector<bool> removed(n);
  whole most = 0;
  while (!queue.empty()) {
    const auto [sum, v] = queue.top();
    queue.pop();
    if (removed[v] || sum != left[v]) continue;
    removed[v] = true;
    most = std::max(most, sum);
    cores.numbers[v] = std::ldexp(static_cast<double>(most), exponent - bits);
    const auto neighbours = graph.out_neighbors(v);
    for (std::size_t k = 0; k < neighbours.size(); ++k) {
      const std::size_t u = neighbours[k];
      if (removed[u]) continue;
      left[u] -= whole_at(v, k);
      queue.push({left[u], u});
    }
  }
  cores.relative_error = std::ldexp(static_cast<double>(most_edges), -52);
  cores.least = std::ldexp(1.0, exponent - bits + 53);
  return cores;
}

}  // namespace orujo::internal::verify
