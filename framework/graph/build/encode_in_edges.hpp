// The last step of building a graph: the cores of a locale encode their rows of in-edges together.
#pragma once

#include <cstdint>
#include <span>

#include "framework/graph/build/build_options.hpp"
#include "framework/graph/distributed_graph.hpp"

namespace orujo::internal::graph {

// [task; suspends; collective over the locale] Encodes the calling core's rows, one per own vertex, into the
// locale's arrays of edges, of which it so touches its part first. neighbours are local indices, and rows
// ascend as adjacency requires. They are returned in that order if the graph keeps them, and in another order
// otherwise. g.own, g.owners, the mirrors and g.weighted must be there.
void encode_in_edges(locale_graph& g, std::span<const std::uint64_t> offsets,
                     std::span<std::uint32_t> neighbours, std::span<float> weights,
                     const build_options& options);

}  // namespace orujo::internal::graph
