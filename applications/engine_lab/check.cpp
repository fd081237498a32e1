#include "applications/engine_lab/check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "applications/engine_lab/programs.hpp"
#include "framework/verify/pagerank_oracle.hpp"
#include "framework/verify/rank_bounds.hpp"
#include "framework/verify/rank_comparison.hpp"

namespace orujo::internal::engine_lab {
namespace {

// Calls visit(v, its depth) for every vertex that can be reached from the root, by depth.
template <class Visit>
void search(const verify::simple_graph& graph, std::size_t root, std::vector<bool>& seen, Visit visit) {
  std::vector<std::size_t> level{root}, next;
  seen[root] = true;
  visit(root, 0u);
  for (std::uint32_t depth = 1; !level.empty(); ++depth) {
    next.clear();
    for (const std::size_t v : level) {
      for (const std::size_t target : graph.out_neighbors(v)) {
        if (seen[target]) continue;
        seen[target] = true;
        visit(target, depth);
        next.push_back(target);
      }
    }
    level.swap(next);
  }
}

verdict compared(std::size_t wrong, std::size_t vertices, const char* what) {
  if (wrong == 0) return {true, fmt::format("{} of {} vertices", what, vertices)};
  return {false, fmt::format("{} of {} vertices differ", wrong, vertices)};
}

}  // namespace

verdict check_pagerank(const verify::simple_graph& graph, std::span<const float> ranks, int iterations,
                       double damping, const graph::numbering& numbers) {
  const auto expected = verify::pagerank(
      graph, {damping, static_cast<unsigned>(iterations), 0, verify::dangling_policy::ignore});
  // Pushing and the traditional interface add to a total in single precision one by one.
  const verify::rank_arithmetic how{verify::single_unit, static_cast<double>(graph.most_in_edges()), damping};
  verify::rank_comparison comparison(graph.ids(), expected.ranks, verify::rank_bounds(expected, how));
  for (std::size_t v = 0; v < ranks.size(); ++v) comparison.add(graph.ids()[v], ranks[numbers.number(v)]);
  return {comparison.agrees(), comparison.describe()};
}

verdict check_components(const verify::simple_graph& graph, std::span<const std::uint32_t> labels,
                         const graph::numbering& numbers) {
  std::vector<bool> seen(graph.vertex_count());
  std::size_t wrong = labels.size() == graph.vertex_count() ? 0 : 1;
  std::vector<std::uint64_t> members;
  for (std::size_t first = 0; first < labels.size(); ++first) {
    if (seen[first]) continue;
    members.clear();
    search(graph, first, seen, [&](std::size_t v, std::uint32_t) { members.push_back(numbers.number(v)); });
    const std::uint64_t smallest = *std::min_element(members.begin(), members.end());
    for (const std::uint64_t v : members) wrong += labels[v] != smallest;
  }
  return compared(wrong, labels.size(), "the components");
}

verdict check_bfs(const verify::simple_graph& graph, std::span<const std::uint32_t> parents,
                  std::uint32_t root, const graph::numbering& numbers) {
  std::vector<bool> seen(graph.vertex_count());
  std::vector<std::uint32_t> depth(graph.vertex_count(), no_parent);
  const std::size_t top = numbers.position(root);
  search(graph, top, seen, [&](std::size_t v, std::uint32_t d) { depth[v] = d; });
  std::size_t wrong = parents.size() == graph.vertex_count() && parents[root] == root ? 0 : 1;
  for (std::size_t v = 0; v < parents.size(); ++v) {
    std::uint64_t parent = parents[numbers.number(v)];
    if (v == top) continue;
    if (depth[v] == no_parent || parent >= parents.size()) {
      wrong += depth[v] != no_parent || parent != no_parent;
      continue;
    }
    parent = numbers.position(parent);
    const auto children = graph.out_neighbors(parent);
    wrong += depth[parent] + 1 != depth[v] || !std::binary_search(children.begin(), children.end(), v);
  }
  return compared(wrong, parents.size(), "the parents and depths");
}

}  // namespace orujo::internal::engine_lab
