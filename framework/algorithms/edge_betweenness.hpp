// Betweenness centrality of edges: how many shortest paths lead along each edge.
#pragma once

#include <cstdint>
#include <span>

#include "framework/algorithms/betweenness.hpp"
#include "framework/graph/distributed_graph.hpp"
#include "framework/graph/valued_edge.hpp"
#include "system/loops/stop_flag.hpp"

namespace orujo::internal::algorithms {

// How paths are measured, and an early end.
struct edge_centrality_options {
  bool weighted = false;       // the length of a path is the sum of its weights (weighted_betweenness.hpp)
  loops::stop_flag stop = {};  // once it is set, no searches follow
};

// The score of every edge, and the figures of the run.
struct edge_centrality {
  graph::edge_array<double> edges;  // in no order; the caller destroys it
  centrality_report report;
};

// [task at core 0; suspends] A source and another vertex add to the score of an edge the share of the
// shortest paths between them that lead along it. Girvan, Newman, "Community Structure
// in Social and Biological Networks", PNAS 99, 2002, by Brandes' algorithm (betweenness.hpp and
// weighted_betweenness.hpp), whose limits, errors and costs are those of this.
//
// In a symmetric graph an edge has one score, source <= target, for both directions: a path and its reverse
// count as two. Parallel edges are different paths, and have one score together. Self-loops have the score 0.
// `sources` has the numbers of vertices.
//
// Takes 8 bytes per out-edge beside the memory of betweenness_centrality, and at the end 48 for sorting.
edge_centrality edge_betweenness(graph::distributed_graph graph, std::span<const std::uint64_t> sources,
                                 const edge_centrality_options& options = {});

}  // namespace orujo::internal::algorithms
