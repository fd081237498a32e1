// Results of edges as oracles have them.
#pragma once

#include <span>
#include <vector>

#include "framework/graph/valued_edge.hpp"
#include "framework/verify/edge_comparison.hpp"

namespace orujo::internal::test_graphs {

// [task; suspends] All edges, in their order. Destroys them.
template <class T>
std::vector<verify::plain_edge<T>> take_edges(graph::edge_array<T> found) {
  std::vector<graph::valued_edge<T>> here(found.size());
  found.get(0, std::span(here));
  found.destroy();
  std::vector<verify::plain_edge<T>> plain;
  for (const auto& [source, target, value] : here) plain.push_back({source, target, value});
  return plain;
}

}  // namespace orujo::internal::test_graphs
