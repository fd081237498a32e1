// Orders of a graph's vertices in memory: pure functions, the same everywhere.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "framework/graph/number_table.hpp"
#include "framework/layout/block_levels.hpp"
#include "framework/layout/undirected_graph.hpp"

namespace orujo::internal::layout {

// Vertices in the order in which they are to lie.
using vertex_sequence = std::vector<std::uint32_t>;

// First the hubs, those of more than the average degree, then all others, each ascending: hub clustering of
// Balaji and Lucia, "When is Graph Reordering an Optimization?", IISWC 2018.
graph::index_array hub_cluster_order(std::span<const std::uint32_t> degrees);

// Breadth first from the lowest vertex of each component, neighbours ascending; components one after the
// other, by their lowest vertices.
vertex_sequence breadth_first_order(const undirected_graph& g);

// The same depth first: a vertex, then what is found from its lowest neighbour that is not there yet, ..
vertex_sequence depth_first_order(const undirected_graph& g);

// hierarchical_order() of hierarchical_blocking.hpp, from the same vertices.
vertex_sequence hierarchical_order(const undirected_graph& g, const block_levels& levels,
                                   std::size_t vertex_bytes);

// Communities within communities, each together: Rabbit order (community_order.cpp). From the vertices of
// least degree on, each joins, with all that have joined it, the neighbour with which modularity gains most.
// That gives trees, whose walks depth first are the order.
vertex_sequence community_order(const undirected_graph& g);

// Takes 80 bytes per vertex and at most 12 per edge beside the graph.
inline constexpr order_memory community_order_memory = {108, 10};

}  // namespace orujo::internal::layout
