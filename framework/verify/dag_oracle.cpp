#include "framework/verify/dag_oracle.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace orujo::internal::verify {

std::optional<std::vector<std::uint64_t>> dag_levels(const simple_graph& graph) {
  enum mark : char { unseen, on_path, left };
  std::vector<mark> marks(graph.vertex_count(), unseen);
  std::vector<std::size_t> order;                         // vertices as they are left
  std::vector<std::pair<std::size_t, std::size_t>> path;  // a vertex, and how many of its edges are done
  for (std::size_t start = 0; start < marks.size(); ++start) {
    if (marks[start] != unseen) continue;
    marks[start] = on_path;
    path.emplace_back(start, 0);
    while (!path.empty()) {
      auto& [vertex, done] = path.back();
      if (done == graph.out_degree(vertex)) {
        marks[vertex] = left;
        order.push_back(vertex);
        path.pop_back();
        continue;
      }
      const std::size_t target = graph.out_neighbors(vertex)[done++];
      if (marks[target] == on_path) return std::nullopt;
      if (marks[target] == left) continue;
      marks[target] = on_path;
      path.emplace_back(target, 0);
    }
  }
  std::vector<std::uint64_t> levels(marks.size());
  for (auto vertex = order.rbegin(); vertex != order.rend(); ++vertex) {
    for (const std::size_t target : graph.out_neighbors(*vertex))
      levels[target] = std::max(levels[target], levels[*vertex] + 1);
  }
  return levels;
}

}  // namespace orujo::internal::verify
