// The edges of a graph in any of its forms.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "framework/graph/distributed_graph.hpp"
#include "system/base/shape.hpp"

namespace orujo::internal::python {

// Calls visit(source, target, weight) for the edges of the calling core, with the positions of both ends. A
// graph has at least one of the three forms.
template <class Visit>
void visit_edges(const graph::locale_graph& g, const Visit& visit) {
  if (const graph::adjacency* const rows = g.out_rows ? g.out_rows.get() : g.in_rows.get()) {
    const graph::edge_reader edges = rows->any_form();
    for (std::uint32_t v = g.my_part().first; v < g.my_part().last; ++v) {
      for (std::uint64_t k = rows->offsets[v]; k < rows->offsets[v + 1]; ++k) {
        const auto [neighbour, weight] = edges[k];
        if (g.out_rows) {
          visit(g.position_of(v), g.position_of(neighbour), weight);
        } else {
          visit(g.position_of(neighbour), g.position_of(v), weight);
        }
      }
    }
    return;
  }
  std::vector<graph::edge_slice> mine;
  for (auto k = static_cast<std::size_t>(my_core_of_locale()); k < g.slices.size();
       k += static_cast<std::size_t>(my_locales_cores()))
    mine.push_back(g.slices[k]);
  graph::vector_sparse_view edges = g.in_edges();
  edges.slices = mine;
  for_each_edge(edges, [&](std::uint32_t target, std::uint32_t source, float weight) {
    visit(g.position_of(source), g.numbers.position(g.number_of_target(target)), weight);
  });
}

}  // namespace orujo::internal::python
