// Edges vertex by vertex, in rows without padding: for algorithms that go from vertex to vertex instead of
// over all edges, such as pushing along the out-edges of a small frontier. On a mesh the padded vectors of
// the paper's VSS would take twice the memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "framework/graph/vector_sparse.hpp"
#include "framework/graph/workspace.hpp"
#include "system/machine/huge_array.hpp"

namespace orujo::internal::graph {

// A neighbour and the weight of the edge to it.
struct arc {
  std::uint32_t neighbour;
  float weight;
};

// Reads edges by slot, whichever form they are kept in. Loops copy it, so that the pointers stay in
// registers; valid as long as the rows.
struct edge_reader {
  const std::uint32_t* neighbours;  // null if there are arcs
  const float* weights;             // null if there are arcs, or if every weight is 1
  const arc* arcs;                  // null if neighbours and weights lie apart

  std::uint32_t neighbour(std::uint64_t slot) const { return arcs ? arcs[slot].neighbour : neighbours[slot]; }
  float weight(std::uint64_t slot) const {
    if (arcs) return arcs[slot].weight;
    return weights ? weights[slot] : 1.0f;
  }
  arc operator[](std::uint64_t slot) const { return {neighbour(slot), weight(slot)}; }
};

// The edges of a locale's own vertices. 4 bytes per edge and 8 per vertex, 8 per edge with weights.
//
// A row ascends by the neighbours' vertex numbers, and parallel edges by weight, whichever other forms the
// graph keeps. So a row is the same on every split of the job. In local indices it has up to three runs, each
// of which ascends:
//
//   mirrors of lower numbers | own vertices | mirrors of higher numbers
struct adjacency {
  // Readable slots after the last edge, so that a vector may be loaded from any.
  static constexpr std::size_t spare_slots = edge_lanes;

  machine::huge_array<std::uint64_t> offsets;     // of own vertex v: offsets[v] .. offsets[v + 1] - 1
  machine::huge_array<std::uint32_t> neighbours;  // local indices
  machine::huge_array<float> weights;             // parallel to neighbours, or empty: every weight is 1
  machine::huge_array<arc> arcs;                  // instead of the other two, where edge_forms::arcs says so
  // What is made of these rows: a graph and its transpose share both.
  std::shared_ptr<workspace> kept = std::make_shared<workspace>();

  std::uint64_t edges() const { return offsets.size() == 0 ? 0 : offsets[offsets.size() - 1]; }
  std::uint64_t degree(std::uint32_t vertex) const { return offsets[vertex + 1] - offsets[vertex]; }
  // The neighbours of a vertex, where there are no arcs.
  std::span<const std::uint32_t> of(std::uint32_t vertex) const {
    return neighbours.part(offsets[vertex], offsets[vertex + 1]);
  }
  // Edges by slot, in whichever form they are kept.
  edge_reader any_form() const { return {neighbours.data(), weights.data(), arcs.data()}; }
  arc edge_at(std::uint64_t slot) const { return any_form()[slot]; }
};

}  // namespace orujo::internal::graph
