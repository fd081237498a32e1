// The condensation of a graph: a vertex for each of its groups of vertices, such as strongly connected
// components, and an edge where edges lead between two groups.
#pragma once

#include <cstdint>

#include "framework/graph/distributed_graph.hpp"
#include "framework/graph/property.hpp"
#include "framework/graph/valued_edge.hpp"
#include "system/base/call_site.hpp"

namespace orujo::internal::algorithms {

// [task; suspends] The edges between groups, in no order, each with the number of the graph's edges that it
// stands for. Labels are those of the vertices' groups: positions (numbering.hpp), as of
// strongly_connected_components(), whose condensation has no cycle. The caller destroys the array.
//
// The graph keeps rows of out-edges; one without ends the job with `exit_status::usage`. Takes 24 bytes per
// edge between groups, before and after equal ones are counted, and 8 per mirror. Sends a core's edges
// between groups, counted, to the core that counts those of their source.
graph::edge_array<std::uint64_t> condensation(graph::distributed_graph graph,
                                              graph::property<std::uint64_t> labels,
                                              const call_site& at = call_site::current());

}  // namespace orujo::internal::algorithms
