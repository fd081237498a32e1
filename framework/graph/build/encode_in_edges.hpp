// The last step of building a graph: the cores of a locale encode their rows of in-edges together.
#pragma once

#include <cstdint>
#include <span>

#include "framework/graph/build/build_options.hpp"
#include "framework/graph/distributed_graph.hpp"

namespace orujo::internal::graph {

// The calling core's rows of in-edges of consecutive targets.
struct target_rows {
  std::uint32_t first;  // target index of the first row
  std::span<const std::uint64_t> offsets;
  std::span<std::uint32_t> neighbours;  // local indices
  std::span<float> weights;             // empty if the graph has none
};

// [task; suspends; collective over the locale] Encodes the calling core's rows, one per own vertex and one
// per guest, into the locale's arrays of edges. The core touches its part of these first. Rows ascend as
// adjacency requires. They are returned in that order if the graph keeps them, and in another order
// otherwise. g.own, g.owners, the mirrors, the placement and g.weighted must be there.
void encode_in_edges(locale_graph& g, const target_rows& own, const target_rows& guests,
                     const build_options& options);

}  // namespace orujo::internal::graph
