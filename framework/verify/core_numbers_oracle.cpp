#include "framework/verify/core_numbers_oracle.hpp"

#include <algorithm>
#include <cstddef>

namespace orujo::verify {

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

}  // namespace orujo::verify
