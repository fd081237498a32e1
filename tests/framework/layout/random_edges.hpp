// Graphs for the tests of orders.
#pragma once

#include <cstdint>
#include <vector>

#include "framework/layout/undirected_graph.hpp"
#include "system/base/random.hpp"

namespace orujo::internal::layout::testing {

// Some vertices without edges, self-loops, parallel edges, several components.
inline std::vector<edge> random_edges(std::uint32_t vertices, std::size_t count, std::uint64_t seed) {
  random_stream random(seed);
  std::vector<edge> edges;
  for (std::size_t k = 0; k < count; ++k) edges.push_back({random.below(vertices), random.below(vertices)});
  return edges;
}

inline undirected_graph random_graph(std::uint32_t vertices, std::size_t count, std::uint64_t seed) {
  return make_undirected(vertices, random_edges(vertices, count, seed));
}

// Vertex v has the children arity * v + 1 .. arity * v + arity.
inline undirected_graph complete_tree(std::uint32_t vertices, std::uint32_t arity = 2) {
  std::vector<edge> edges;
  for (std::uint32_t v = 1; v < vertices; ++v) edges.push_back({(v - 1) / arity, v});
  return make_undirected(vertices, edges);
}

}  // namespace orujo::internal::layout::testing
