// The compact Vector-Sparse encoding of a locale's in-edges: eight 32-bit edge slots to a 256-bit edge
// vector.
//
// Vector-Sparse is from Grossman, Litz, Kozyrakis, "Making Pull-Based Graph Processing Performant", PPoPP
// 2018, section 4. The paper's encoding takes 8 bytes a slot; this one takes 4, as long as a locale has fewer
// than 2^30 local indices. The edges of a top-level vertex fill consecutive vectors from lane 0 on; no vector
// holds edges of two vertices. Which vertex a vector belongs to is relative to the vector before it:
//
//             bit 31   bit 30        bits 29 .. 0
//           +--------+-------------+------------------------------------------+
//   lane i  | valid  | bit i of    | local index of the neighbour (source),   |   i = 0 .. 7
//           |        | the step    | 0 in lanes that are not valid            |
//           +--------+-------------+------------------------------------------+
//
//   step    0: same top-level vertex as the vector before; 1..255: that many vertices further on.
//   jump    a vector whose lane 0 is not valid (so no lane is): it carries no edges, lane 0's low 30 bits are
//           the new top-level vertex, and its step bits are all set, so that "step != 0" finds jumps too.
//           Jumps bridge gaps of more than 255 vertices and start every slice.
//
// The valid bit is the sign bit, which AVX2 masks use.
//
// Bundles hold the edges of up to eight top-level vertices of low degree side by side, one in each lane. So
// combining them takes no sum across lanes. A head names the vertices. As many body vectors follow as the
// largest degree among them, which lane 0 has. A lane is not valid after the last edge of its vertex. Invalid
// lanes of a head name lane 0's vertex, so reading all eight totals reads no other core's.
//
//           bit 31   bit 30        bits 29 .. 0
//         +--------+-------------+------------------------------------------+
//   head  | valid  | bit i of    | the i-th top-level vertex,               |   i = 0 .. 7
//         |        | the depth   | lane 0's in lanes that are not valid     |
//         +--------+-------------+------------------------------------------+
//   body  | valid  | 0           | local index of the next neighbour of the |   1..255 body vectors,
//         |        |             | i-th vertex, 0 in lanes that are not ... |   as the depth says
//         +--------+-------------+------------------------------------------+
//
// A slice is the vectors of one core: vectors of single vertices, in ascending order of the vertices, and
// then bundles of other vertices. The first vector is a jump, so no slice depends on another. A segment is a
// range of local indices from which all its edges come. Its slices lie one after the other, and so do the
// segments.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "system/base/status.hpp"

namespace orujo::internal::graph {

inline constexpr std::size_t edge_lanes = 8;
inline constexpr std::uint32_t edge_valid_bit = 1u << 31;
inline constexpr std::uint32_t edge_step_bit = 1u << 30;
inline constexpr std::uint32_t local_index_mask = edge_step_bit - 1;
inline constexpr std::uint32_t max_step = (1u << edge_lanes) - 1;

struct alignas(32) edge_vector {
  std::uint32_t lane[edge_lanes];
};
static_assert(sizeof(edge_vector) == 32 && alignof(edge_vector) == 32, "one AVX2 register, loaded aligned");

// Lane i belongs to lane i of the edge vector at the same position; 0 where that lane is not valid.
struct alignas(32) weight_vector {
  float lane[edge_lanes];
};
static_assert(sizeof(weight_vector) == 32 && alignof(weight_vector) == 32,
              "one AVX2 register, loaded aligned");

// One entry of the side index per this many vectors: 4 bytes per 2 KiB of edges (0.2 %). A chunk that starts
// anywhere decodes at most 63 steps to find its vertex. These are about 2 KiB, which the chunk before it has
// just read.
inline constexpr std::size_t vectors_per_index_entry = 64;

constexpr std::size_t count_index_entries(std::size_t vectors) {
  return (vectors + vectors_per_index_entry - 1) / vectors_per_index_entry;
}

// Vectors [first, bundles) are of single vertices, vectors [bundles, last) are bundles.
struct edge_slice {
  std::size_t first = 0, bundles = 0, last = 0;
};

// The edges from local indices [first_source, last_source): slices [first_slice, last_slice), which are
// vectors [first, last).
struct edge_segment {
  std::uint32_t first_source = 0, last_source = 0;
  std::size_t first_slice = 0, last_slice = 0;
  std::size_t first = 0, last = 0;
};

// The in-edges of one locale, owned by someone else.
struct vector_sparse_view {
  std::span<const edge_vector> edges;
  std::span<const weight_vector> weights;  // as many as edges, or none: every weight is 1
  // Entry k: the top-level vertex in force before vector 64 k. It is the target of that vector if it is a
  // jump, and 0 if it is of a bundle.
  std::span<const std::uint32_t> top_level_at;
  std::span<const edge_slice> slices;
  std::span<const edge_segment> segments;
};

// The memory that encoders fill; top_level_at has count_index_entries(edges.size()) entries.
struct vector_sparse_buffer {
  std::span<edge_vector> edges;
  std::span<weight_vector> weights;
  std::span<std::uint32_t> top_level_at;
};

constexpr bool is_valid(const edge_vector& vector, std::size_t lane) {
  return (vector.lane[lane] & edge_valid_bit) != 0;
}
// The local index in a valid lane.
constexpr std::uint32_t neighbour(const edge_vector& vector, std::size_t lane) {
  return vector.lane[lane] & local_index_mask;
}

constexpr bool is_jump(const edge_vector& vector) { return (vector.lane[0] & edge_valid_bit) == 0; }

// Precondition: is_jump(vector).
constexpr std::uint32_t jump_target(const edge_vector& vector) { return vector.lane[0] & local_index_mask; }

constexpr std::uint32_t step(const edge_vector& vector) {
  // Two lanes to a word: the even lanes' bits meet in the low half, the odd lanes' in the high half.
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < edge_lanes; i += 2) {
    const std::uint64_t pair = vector.lane[i] | std::uint64_t{vector.lane[i + 1]} << 32;
    bits |= (pair & 0x4000'0000'4000'0000u) >> (30 - i);
  }
  return static_cast<std::uint32_t>(bits | bits >> 31);
}

// The number of body vectors after a bundle's head; 0 for a body vector.
constexpr std::uint32_t bundle_depth(const edge_vector& vector) { return step(vector); }

// The top-level vertex of a vector of a single vertex, given that of the vector before it.
constexpr std::uint32_t next_top_level(const edge_vector& vector, std::uint32_t before) {
  return is_jump(vector) ? jump_target(vector) : before + step(vector);
}

// The top-level vertex in force before this vector. Precondition: the vector is not of a bundle.
std::uint32_t top_level_before(const vector_sparse_view& graph, std::size_t vector);

// Fails with bad_data and the first vector that breaks the layout above, or that names a top-level vertex not
// below own_vertices or a neighbour not below local_indices or not of its segment. That a vertex has only one
// place in a slice is not checked.
status validate(const vector_sparse_view& graph, std::uint32_t own_vertices, std::uint32_t local_indices);

// The two parts of validate(). validate_slices() reads no vector: it checks that segments and slices cover
// all of them in order. validate_slice() checks the vectors of one slice and their entries of the side index.
status validate_slices(const vector_sparse_view& graph, std::uint32_t local_indices);
status validate_slice(const vector_sparse_view& graph, const edge_segment& segment, const edge_slice& slice,
                      std::uint32_t own_vertices);

// Calls visit(top-level vertex, neighbour, weight) for every edge in the order of the vectors.
template <class Visit>
void for_each_edge(const vector_sparse_view& graph, Visit visit) {
  const auto weight_of = [&](std::size_t vector, std::size_t lane) {
    return graph.weights.empty() ? 1.0f : graph.weights[vector].lane[lane];
  };
  for (const edge_slice& slice : graph.slices) {
    std::uint32_t vertex = 0;
    for (std::size_t k = slice.first; k < slice.bundles; ++k) {
      vertex = next_top_level(graph.edges[k], vertex);
      for (std::size_t i = 0; i < edge_lanes; ++i) {
        const std::uint32_t lane = graph.edges[k].lane[i];
        if ((lane & edge_valid_bit) != 0) visit(vertex, lane & local_index_mask, weight_of(k, i));
      }
    }
    const edge_vector* head = nullptr;
    for (std::size_t k = slice.bundles; k < slice.last; ++k) {
      if (bundle_depth(graph.edges[k]) != 0) {
        head = &graph.edges[k];
        continue;
      }
      for (std::size_t i = 0; i < edge_lanes; ++i) {
        const std::uint32_t lane = graph.edges[k].lane[i];
        if ((lane & edge_valid_bit) == 0) continue;
        // NOLINTNEXTLINE(clang-analyzer-core.NullDereference): the first of the slice has a depth
        visit(head->lane[i] & local_index_mask, lane & local_index_mask, weight_of(k, i));
      }
    }
  }
}

}  // namespace orujo::internal::graph
