// Encodes a core's in-edges as slices of Vector-Sparse, one for each segment of sources.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "framework/graph/vector_sparse.hpp"

namespace orujo::internal::graph {

// The in-edges of vertices first_vertex, first_vertex + 1, ... in compressed rows: those of the i-th vertex
// are neighbours[offsets[i]] .. neighbours[offsets[i + 1]]. offsets has one entry more than there are
// vertices (or none at all) and need not start at 0: a range of a locale's rows is a subspan of its offsets.
struct in_edge_rows {
  std::uint32_t first_vertex = 0;
  std::span<const std::uint64_t> offsets;
  std::span<const std::uint32_t> neighbours;  // local indices below 2^30
  std::span<const float> weights;             // parallel to neighbours, or empty
};

// Largest number of edges from a segment of a vertex in a bundle. PageRank with 2 cores, AVX-512 and 2 MiB of
// second-level cache, in ms per iteration. Kronecker 20, symmetrized, with none, 8, 16, 32, 64 and 128: 21.0,
// 17.3, 16.4, 15.7, 15.7, 15.5. Directed R-MAT 22 with none, 16 and 64: 76.7, 48.9, 48.4.
inline constexpr std::uint32_t default_bundle_depth = 32;
inline constexpr std::uint32_t deepest_bundle = 255;

// Bundles are made by descending degree within windows of this many vertices. The totals of a window are 16
// KiB of single precision, in the first-level cache.
inline constexpr std::uint32_t vertices_per_bundle_window = 4096;

// The vectors of a slice.
struct slice_size {
  std::size_t single = 0;  // of single vertices
  std::size_t bundled = 0;
  std::size_t vectors() const { return single + bundled; }
};

// Cuts a core's rows by segment: segment s has the sources [source_bounds[s], source_bounds[s + 1]). Costs 8
// bytes per row. With more than one segment, each row's neighbours must ascend.
class slice_encoder {
 public:
  // rows and source_bounds must outlive the encoder. Every neighbour is in a segment. depth: 0 for no bundles
  // at all, at most deepest_bundle.
  slice_encoder(const in_edge_rows& rows, std::span<const std::uint32_t> source_bounds,
                std::uint32_t depth = default_bundle_depth);

  std::size_t segments() const { return sizes_.size(); }
  slice_size size(std::size_t segment) const { return sizes_[segment]; }

  // Writes a slice to vectors [first_vector, first_vector + size(segment).vectors()) and the entries of the
  // side index that fall there: cores may encode disjoint slices of one graph at the same time. Weights are
  // written if the graph has room for them; rows without weights weigh 1. To be called once for each segment,
  // ascending.
  edge_slice encode(std::size_t segment, std::size_t first_vector, const vector_sparse_buffer& graph);

 private:
  template <class Visit>
  void take_segment(std::size_t segment, Visit visit);
  template <class Sink>
  void pass(std::size_t segment, Sink& sink);

  const in_edge_rows rows_;
  const std::span<const std::uint32_t> source_bounds_;
  const std::uint32_t depth_;
  std::vector<std::uint64_t> next_;  // by row: the first edge from the segments that are still to come
  std::vector<slice_size> sizes_;    // by segment
};

}  // namespace orujo::internal::graph
