// A graph as orders of vertices see it: every edge in both directions, without weights.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "framework/formats/edge.hpp"
#include "framework/graph/build/degrees.hpp"
#include "framework/graph/build/input.hpp"
#include "system/machine/huge_array.hpp"

namespace orujo::internal::layout {

// Vertices 0 .. vertices()-1, fewer than 2^32: by the positions of their ids (numbering.hpp). No self-loops,
// no parallel edges; neighbours ascend. 8 bytes per vertex and 4 per direction of an edge.
struct undirected_graph {
  machine::huge_array<std::uint64_t> offsets;     // of v: offsets[v] .. offsets[v + 1] - 1
  machine::huge_array<std::uint32_t> neighbours;  // there may be spare room

  std::uint32_t vertices() const {
    return offsets.size() == 0 ? 0 : static_cast<std::uint32_t>(offsets.size() - 1);
  }
  // Edges, each once.
  std::uint64_t edges() const { return offsets.size() == 0 ? 0 : offsets[vertices()] / 2; }
  std::uint64_t degree(std::uint32_t v) const { return offsets[v + 1] - offsets[v]; }
  std::span<const std::uint32_t> of(std::uint32_t v) const {
    return neighbours.part(offsets[v], offsets[v + 1]);
  }
};

// Any thread. The graph of edges between vertices below `vertices`.
undirected_graph make_undirected(std::uint32_t vertices, std::span<const edge> edges);

// [task; suspends; collective over the job] The number of edges of each vertex in either direction, without
// self-loops. Parallel edges count. The job's edges have positions.
graph::shared_degrees count_degrees(const graph::input_edges& input, std::uint64_t vertices);

// Bytes that gathering a graph, and then ordering it, take at locale 0.
struct order_memory {
  std::uint64_t per_vertex = 28;
  std::uint64_t per_end = 4;  // of an edge, which has two
};

// [task; suspends; collective over the job] Gathers the job's edges, which have positions, at locale 0. Its
// cores share the result. It is null at the others. Fails with no_resource if locale 0 has no memory for it,
// or if there are 2^32 vertices. `degrees` are those of count_degrees().
result<std::shared_ptr<const undirected_graph>> gather_undirected(
    const graph::input_edges& input, std::uint64_t vertices,
    const machine::huge_array<std::uint32_t>& degrees, const order_memory& needs = {});

}  // namespace orujo::internal::layout
