#include "framework/layout/orders.hpp"

#include <algorithm>
#include <numeric>

#include "framework/layout/hierarchical_blocking.hpp"

namespace orujo::internal::layout {
namespace {

// The rows of a graph in the form that hierarchical_order() requires.
struct rows_of_graph {
  const undirected_graph* graph;
  std::span<const std::uint32_t> operator()(std::uint32_t v) const { return graph->of(v); }
};

}  // namespace

graph::index_array hub_cluster_order(std::span<const std::uint32_t> degrees) {
  const std::uint64_t sum = std::accumulate(degrees.begin(), degrees.end(), std::uint64_t{0});
  const std::uint64_t average = degrees.empty() ? 0 : sum / degrees.size();
  graph::index_array order(degrees.size(), degrees.size());
  std::uint64_t at = 0;
  for (const bool hubs : {true, false}) {
    for (std::uint64_t v = 0; v < degrees.size(); ++v) {
      if ((degrees[v] > average) == hubs) order.set(at++, v);
    }
  }
  return order;
}

vertex_sequence breadth_first_order(const undirected_graph& g) {
  return hierarchical_order(g, {}, 1);  // one block: no hierarchy
}

vertex_sequence depth_first_order(const undirected_graph& g) {
  vertex_sequence order;
  order.reserve(g.vertices());
  std::vector<bool> placed(g.vertices());
  struct step {
    std::uint32_t vertex;
    std::uint64_t next;  // place in g.neighbours
  };
  std::vector<step> path;
  const auto enter = [&](std::uint32_t v) {
    placed[v] = true;
    order.push_back(v);
    path.push_back({v, g.offsets[v]});
  };
  for (std::uint32_t root = 0; root < g.vertices(); ++root) {
    if (!placed[root]) enter(root);
    while (!path.empty()) {
      step& last = path.back();
      if (last.next == g.offsets[last.vertex + 1]) {
        path.pop_back();
      } else if (const std::uint32_t to = g.neighbours[last.next++]; !placed[to]) {
        enter(to);
      }
    }
  }
  return order;
}

vertex_sequence hierarchical_order(const undirected_graph& g, const block_levels& levels,
                                   std::size_t vertex_bytes) {
  return hierarchical_order(g.vertices(), rows_of_graph{&g}, levels, vertex_bytes);
}

}  // namespace orujo::internal::layout
