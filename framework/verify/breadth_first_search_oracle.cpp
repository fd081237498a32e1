#include "framework/verify/breadth_first_search_oracle.hpp"

#include <fmt/format.h>
#include <glog/logging.h>

#include <algorithm>

namespace orujo::internal::verify {
namespace {

bool has_edge(const simple_graph& graph, std::size_t source, std::size_t target) {
  const auto targets = graph.out_neighbors(source);
  return std::binary_search(targets.begin(), targets.end(), target);
}

// What is wrong with a reached vertex; empty if nothing.
std::string check_parent(const simple_graph& graph, std::size_t root, std::size_t v,
                         std::span<const std::int64_t> parents, std::span<const std::int64_t> levels) {
  const std::int64_t parent = parents[v];
  if (parent < 0 || static_cast<std::size_t>(parent) >= graph.vertex_count()) return "has no parent";
  const auto p = static_cast<std::size_t>(parent);
  if (v == root) return p == root ? "" : "is the source, but not its own parent";
  if (!has_edge(graph, p, v)) return fmt::format("has no edge from its parent {}", graph.ids()[p]);
  if (levels[p] + 1 != levels[v])
    return fmt::format("is at level {}, its parent {} at level {}", levels[v], graph.ids()[p], levels[p]);
  return "";
}

}  // namespace

std::vector<std::int64_t> search_levels(const simple_graph& graph, std::size_t root) {
  std::vector<std::int64_t> levels(graph.vertex_count(), unreached);
  std::vector<std::size_t> queue{root};
  levels[root] = 0;
  for (std::size_t at = 0; at < queue.size(); ++at) {
    for (const std::size_t target : graph.out_neighbors(queue[at])) {
      if (levels[target] != unreached) continue;
      levels[target] = levels[queue[at]] + 1;
      queue.push_back(target);
    }
  }
  return levels;
}

std::optional<std::string> check_search(const simple_graph& graph, std::size_t root,
                                        std::span<const std::int64_t> parents,
                                        std::span<const std::int64_t> levels) {
  CHECK(parents.size() == graph.vertex_count() && levels.size() == graph.vertex_count());
  const std::vector<std::int64_t> expected = search_levels(graph, root);
  for (std::size_t v = 0; v < graph.vertex_count(); ++v) {
    std::string wrong;
    if (levels[v] != expected[v]) {
      wrong = fmt::format("is at level {}, not {}", expected[v], levels[v]);
    } else if (expected[v] != unreached) {
      wrong = check_parent(graph, root, v, parents, levels);
    } else if (parents[v] != unreached) {
      wrong = "cannot be reached, but has a parent";
    }
    if (!wrong.empty()) return fmt::format("vertex {} {}", graph.ids()[v], wrong);
  }
  return {};
}

}  // namespace orujo::internal::verify
