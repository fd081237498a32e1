// Edges vertex by vertex, in rows without padding: for algorithms that go from vertex to vertex instead of
// over all edges, such as pushing along the out-edges of a small frontier. On a mesh the padded vectors of
// the paper's VSS would take twice the memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "framework/graph/vector_sparse.hpp"
#include "system/machine/huge_array.hpp"

namespace orujo::graph {

// A neighbour and the weight of the edge to it.
struct arc {
  std::uint32_t neighbour;
  float weight;
};

// The edges of a locale's own vertices. 4 bytes per edge and 8 per vertex, 8 per edge with weights.
struct adjacency {
  // Readable slots behind the last edge, so that a vector may be loaded from any.
  static constexpr std::size_t spare_slots = edge_lanes;

  machine::huge_array<std::uint64_t> offsets;  // of own vertex v: offsets[v] .. offsets[v + 1] - 1
  machine::huge_array<std::uint32_t>
      neighbours;                      // local indices; each vertex's own vertices and mirrors ascend
  machine::huge_array<float> weights;  // parallel to neighbours, or empty: every weight is 1
  machine::huge_array<arc> arcs;       // instead of the other two, where edge_forms::arcs says so

  std::uint64_t edges() const { return offsets.size() == 0 ? 0 : offsets[offsets.size() - 1]; }
  std::uint64_t degree(std::uint32_t vertex) const { return offsets[vertex + 1] - offsets[vertex]; }
  std::span<const std::uint32_t> of(std::uint32_t vertex) const {
    return neighbours.part(offsets[vertex], offsets[vertex + 1]);
  }
};

}  // namespace orujo::graph
