// The Vector-Sparse encoding of Grossman, Litz, Kozyrakis, "Making Pull-Based Graph Processing Performant",
// PPoPP 2018, section 4: four 64-bit edge slots to a 256-bit edge vector.
//
// The edges of a top-level vertex fill consecutive vectors from lane 0 on; no vector holds edges of two
// vertices. Every vector says by itself to which vertex it belongs, 12 bits in each lane:
//
//             bit 63   bits 62 .. 60   bits 59 .. 48                   bits 47 .. 0
//           +--------+---------------+-------------------------------+-----------------------------+
//   lane i  | valid  | 0             | bits 12 i + 11 .. 12 i of the | the neighbour,              |   i = 0
//   .. 3
//           |        |               | top-level vertex              | 0 in lanes that are not ... |
//           +--------+---------------+-------------------------------+-----------------------------+
//
// The valid bit is the sign bit, which AVX2 masks read. Grouped by destination (made of rows of in-edges)
// this is the paper's VSD, for pulling. Grouped by source (of out-edges) it is its VSS, for pushing.
//
// It takes twice the memory of the compact encoding (vector_sparse.hpp), which programs run on. This one is
// for repeating the paper's measurements.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "framework/graph/adjacency.hpp"
#include "framework/graph/vector_sparse.hpp"
#include "system/machine/huge_array.hpp"

namespace orujo::internal::graph {

inline constexpr std::size_t wide_edge_lanes = 4;
inline constexpr std::uint64_t wide_valid_bit = std::uint64_t{1} << 63;
inline constexpr unsigned wide_id_bits = 48;
inline constexpr std::uint64_t wide_id_mask = (std::uint64_t{1} << wide_id_bits) - 1;
inline constexpr unsigned wide_piece_bits = wide_id_bits / wide_edge_lanes;
inline constexpr std::uint64_t wide_piece_mask = ((std::uint64_t{1} << wide_piece_bits) - 1) << wide_id_bits;
static_assert(wide_piece_bits * wide_edge_lanes == wide_id_bits, "the lanes hold the whole top-level vertex");
static_assert(wide_piece_mask == 0x0fff'0000'0000'0000 && wide_id_mask == 0x0000'ffff'ffff'ffff);
static_assert((wide_valid_bit & wide_piece_mask) == 0 && (wide_piece_mask & wide_id_mask) == 0);

struct alignas(32) wide_edge_vector {
  std::uint64_t lane[wide_edge_lanes];
};
static_assert(sizeof(wide_edge_vector) == 32 && alignof(wide_edge_vector) == 32,
              "one AVX2 register, loaded aligned");

// Lane i belongs to lane i of the edge vector at the same position; 0 where that lane is not valid.
struct alignas(16) wide_weight_vector {
  float lane[wide_edge_lanes];
};
static_assert(sizeof(wide_weight_vector) == 16 && alignof(wide_weight_vector) == 16,
              "one SSE register, loaded aligned");

constexpr std::uint64_t wide_piece(std::uint64_t top_level, std::size_t lane) {
  return top_level >> (wide_piece_bits * lane) << wide_id_bits & wide_piece_mask;
}

constexpr std::uint64_t top_level(const wide_edge_vector& vector) {
  std::uint64_t vertex = 0;
  for (std::size_t i = 0; i < wide_edge_lanes; ++i) {
    vertex |= (vector.lane[i] & wide_piece_mask) >> wide_id_bits << (wide_piece_bits * i);
  }
  return vertex;
}

constexpr bool same_top_level(const wide_edge_vector& a, const wide_edge_vector& b) {
  std::uint64_t difference = 0;
  for (std::size_t i = 0; i < wide_edge_lanes; ++i) difference |= a.lane[i] ^ b.lane[i];
  return (difference & wide_piece_mask) == 0;
}

constexpr bool is_valid(const wide_edge_vector& vector, std::size_t lane) {
  return (vector.lane[lane] & wide_valid_bit) != 0;
}
constexpr std::uint64_t neighbour(const wide_edge_vector& vector, std::size_t lane) {
  return vector.lane[lane] & wide_id_mask;
}

// The edges of one locale by top-level vertex, owned by someone else.
struct wide_vector_sparse_view {
  std::span<const wide_edge_vector> edges;
  std::span<const wide_weight_vector> weights;  // as many as edges, or none: every weight is 1
  // The vectors of top-level vertex v are first_vector[v] .. first_vector[v + 1] - 1; vertices + 1 entries.
  std::span<const std::uint64_t> first_vector;
  std::span<const edge_slice> slices;      // one per core of the locale, as it encoded them; no bundles
  std::span<const edge_segment> segments;  // one: of all vectors, and from all sources
};

struct wide_vector_sparse {
  machine::huge_array<wide_edge_vector> edges;
  machine::huge_array<wide_weight_vector> weights;
  machine::huge_array<std::uint64_t> first_vector;
  std::vector<edge_slice> slices;
  std::vector<edge_segment> segments;

  wide_vector_sparse_view view() const {
    return {edges.part(0, edges.size()), weights.part(0, weights.size()),
            first_vector.part(0, first_vector.size()), slices, segments};
  }
};

// Rows to encode: those of top-level vertices first, first + 1, ... last - 1.
struct wide_rows {
  const adjacency& rows;
  std::uint32_t first, last;

  std::size_t vectors() const;
  // Encodes them from vector `at` on, and sets to.first_vector[first + 1 .. last].
  void encode(std::size_t at, const wide_vector_sparse& to) const;
};

// Allocates counts[i] vectors for core i, and the index of all vertices.
void lay_out(wide_vector_sparse& graph, std::span<const std::size_t> counts, std::size_t vertices,
             bool weighted, std::uint32_t local_indices);

// [task; suspends; collective over the locale] Encodes the rows of each core's own vertices [first, last),
// which together are all. local_indices is a bound of the neighbours. Takes 32 bytes per 4 edges, 16 more
// with weights, and 8 per vertex.
std::shared_ptr<const wide_vector_sparse> encode_wide(const adjacency& rows, std::uint32_t first,
                                                      std::uint32_t last, std::uint32_t local_indices);

}  // namespace orujo::internal::graph
