// Edges row by row, as some formats have them: 4 bytes each where a list has 16.
#pragma once

#include <cstdint>
#include <vector>

#include "framework/formats/edge.hpp"

namespace orujo::internal::formats {

inline constexpr std::uint64_t most_vertices_of_rows = std::uint64_t{1} << 32;

// Consecutive rows of out-edges. The first and the last row may be parts of rows.
struct row_list {
  std::uint64_t first_vertex = 0;
  std::vector<std::uint64_t> begins;  // where the edges of each vertex begin, from first_vertex on
  std::vector<std::uint32_t> neighbours;
  std::vector<float> weights;  // parallel to neighbours, or empty

  std::uint64_t edges() const { return neighbours.size(); }
  std::uint64_t last_vertex() const { return first_vertex + begins.size(); }
  // Where the edges of a vertex begin, or those of the first one after it.
  std::uint64_t begin_of(std::uint64_t vertex) const {
    if (vertex <= first_vertex) return 0;
    return vertex < last_vertex() ? begins[vertex - first_vertex] : edges();
  }
  std::uint64_t bytes() const {
    return begins.size() * sizeof(begins[0]) + edges() * sizeof(neighbours[0]) +
           weights.size() * sizeof(weights[0]);
  }

  void reserve(std::uint64_t edges, bool weighted);
  // Appends edges whose sources ascend from those that are there.
  void append(const edge_list& more);
};

}  // namespace orujo::internal::formats
