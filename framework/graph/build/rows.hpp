// A core's edges in compressed rows, one row per own vertex: what the shuffle makes and the encoders take.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "framework/formats/edge.hpp"
#include "system/machine/huge_array.hpp"

namespace orujo::internal::graph {

// Row r is that of vertex first_vertex + r. It holds the vertices at the other ends of its edges: the sources
// in rows of in-edges, the targets in rows of out-edges. They ascend, and parallel edges ascend by weight. A
// row depends on the graph and on the core's range of vertices only, not on the core that had an edge.
struct rows {
  std::uint64_t first_vertex = 0;
  machine::huge_array<std::uint64_t> offsets;     // of row r: offsets[r] .. offsets[r + 1] - 1
  machine::huge_array<std::uint32_t> neighbours;  // the low 32 bits of their numbers; there may be spare room
  machine::huge_array<std::uint32_t> high_bits;   // the rest of them; empty below 2^32 vertices
  machine::huge_array<float> weights;             // parallel to neighbours, or empty

  std::uint64_t vertices() const { return offsets.size() == 0 ? 0 : offsets.size() - 1; }
  std::uint64_t edges() const { return offsets.size() == 0 ? 0 : offsets[vertices()]; }
  // The number of the vertex at the other end of edge k.
  std::uint64_t neighbour(std::uint64_t k) const {
    return neighbours[k] | (high_bits.size() == 0 ? 0 : std::uint64_t{high_bits[k]} << 32);
  }
};

// Replaces the neighbours' numbers by what local_index(number) says: from then on they are local indices.
template <class LocalIndex>
void localise(rows& of, LocalIndex local_index) {
  for (std::uint64_t k = 0; k < of.edges(); ++k) of.neighbours[k] = local_index(of.neighbour(k));
  of.high_bits = {};
}

// How the shuffle writes an edge: its row's vertex above the vertex at the other end, so that the numbers'
// order is the rows'. Arithmetic is modulo 2^64. Vertices of more than 32 bits lose their highest bits. These
// are restored relative to a vertex of the same core, as long as a core has at most most_vertices_of_core().
class edge_keys {
 public:
  edge_keys() = default;
  explicit edge_keys(std::uint64_t vertices);

  std::uint64_t key(std::uint64_t vertex, std::uint64_t neighbour) const {
    return (vertex << neighbour_bits_) + neighbour;
  }
  // The row of a key, relative to vertex `first`.
  std::uint64_t row(std::uint64_t key, std::uint64_t first) const {
    return (key - (first << neighbour_bits_)) >> neighbour_bits_;
  }
  std::uint64_t neighbour(std::uint64_t key) const {
    return key & ((std::uint64_t{1} << neighbour_bits_) - 1);
  }
  unsigned neighbour_bits() const { return neighbour_bits_; }
  std::uint64_t most_vertices_of_core() const { return std::uint64_t{1} << (64 - neighbour_bits_); }

 private:
  unsigned neighbour_bits_ = 1;
};

// The keys of a core's edges, grouped by consecutive ranges of its vertices, in any order within each.
struct grouped_edges {
  struct group {
    std::uint64_t last_vertex;  // where the next group's vertices begin
    std::uint64_t last_edge;    // where the next group's edges begin
  };
  std::uint64_t first_vertex = 0;
  std::vector<group> groups;
  machine::huge_array<std::uint64_t> keys;
  machine::huge_array<float> weights;  // parallel, or empty
};

// Sorts each group; best if it fits the second-level cache twice. The rows take the place of the keys: beyond
// the keys, memory is needed for the offsets and two groups. `vertices` are those of the whole graph; `keep`
// says which of parallel edges stays where duplicates are removed.
rows sort_rows(grouped_edges edges, std::uint64_t vertices, bool remove_duplicates,
               kept_weight keep = kept_weight::lightest);

}  // namespace orujo::internal::graph
