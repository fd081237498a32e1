// Levels of a directed acyclic graph: the generations of a topological order.
#pragma once

#include <cstdint>
#include <vector>

#include "framework/gas/edge_map.hpp"
#include "framework/graph/distributed_graph.hpp"
#include "framework/graph/property.hpp"
#include "system/base/call_site.hpp"
#include "system/loops/stop_flag.hpp"

namespace orujo::internal::algorithms {

// Edge maps of dag_levels(), and an early end.
struct dag_options {
  gas::edge_map_options maps = {};
  loops::stop_flag stop = {};  // once it is set, no other edge map follows
};

// Levels that were found, or a cycle.
struct dag_report {
  std::uint32_t levels = 0;          // the level of a vertex is below
  std::uint64_t widest = 0;          // vertices of the level that has most
  std::vector<std::uint64_t> cycle;  // positions (numbering.hpp) along edges, of a graph with cycles
  double seconds = 0;
  bool ended = true;  // false: it was stopped, and there is no result
};

// The level of a vertex that is in a cycle, or that one leads to.
inline constexpr std::uint32_t no_level = ~std::uint32_t{0};

// [task at core 0; suspends] Sets the level of every vertex to the number of edges of a longest path to it.
// So an edge leads to a higher level, and levels are the generations of a topological order. Results are the
// same on any number of locales and cores.
//
// After Kahn, "Topological Sorting of Large Networks", CACM 5, 1962: vertices without edges from vertices
// that are left are removed, all at once. An edge map counts what edges their neighbours lose.
//
// If vertices are left, some are in a cycle, and `cycle` has one. It is found by going back from
// the vertex left that has the smallest position, always to the smallest source that is left. A step of this
// path takes messages.
//
// A graph without rows of edges (`gas::forms_for_maps`) ends the job with `exit_status::usage`. Takes 4 bytes
// per vertex, and for edge maps 10 to 20, which stay with the graph.
dag_report dag_levels(graph::distributed_graph graph, graph::property<std::uint32_t> levels,
                      const dag_options& options = {}, const call_site& at = call_site::current());

}  // namespace orujo::internal::algorithms
