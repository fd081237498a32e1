// Prints the edges of highest value: --top (top.hpp) for results of edges.
#pragma once

#include <string>

#include "framework/graph/distributed_graph.hpp"
#include "framework/graph/valued_edge.hpp"

namespace orujo::internal::harness {

// [task at core 0; suspends] Prints the top() edges of highest value. Among equal values the smaller
// source comes first, then the smaller target. `what` names the value. Each core sorts a copy of its edges.
void print_top_edges(graph::distributed_graph graph, graph::edge_array<double> edges,
                     const std::string& what);

}  // namespace orujo::internal::harness
