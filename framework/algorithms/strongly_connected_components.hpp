// Strongly connected components of a directed graph: sets of vertices that paths lead between, both ways.
#pragma once

#include <cstdint>

#include "framework/gas/edge_map.hpp"
#include "framework/graph/distributed_graph.hpp"
#include "framework/graph/property.hpp"
#include "system/base/call_site.hpp"
#include "system/loops/stop_flag.hpp"

namespace orujo::internal::algorithms {

// How strongly_connected_components() runs. A size is the number of undecided vertices and their out-edges.
struct strong_components_options {
  gas::edge_map_options maps = {};
  // An undecided part of up to this size is computed by core 0. Unless it is 0, so is all of a graph with at
  // most 4 edges per vertex on one locale of fewer than 4 cores.
  std::uint64_t serial_below = 1 << 20;
  // One of up to this size is, too, if trimming or a search takes more edge maps than `patience`. On one
  // locale, where no rows travel for that, each one after the first searches is.
  std::uint64_t serial_at_most = 1 << 24;
  int patience = 128;
  loops::stop_flag stop = {};  // once it is set, no other edge map follows
};

// The figures of a run of strongly_connected_components().
struct strong_components_report {
  int steps = 0;              // edge maps
  int colorings = 0;          // rounds of colouring
  std::uint64_t trimmed = 0;  // vertices without edges from, or to, other undecided ones
  std::uint64_t serial = 0;   // vertices of the part that core 0 has computed
  double seconds = 0;
  bool ended = true;  // false: it was stopped, and there is no result
};

// [task at core 0; suspends] Sets the label of every vertex to the smallest position (numbering.hpp) in its
// component. The result is the same on any number of locales and cores.
//
// The phases are those of Slota, Rajamanickam, Madduri, "BFS and Coloring-based Parallel Algorithms for
// Strongly Connected Components and Related Problems", IPDPS 2014:
//
// 1. Trimming (McLendon, Hendrickson, Plimpton, Rauchwerger, "Finding Strongly Connected Components in
//    Distributed Graphs", 2005): a vertex that no undecided vertex has an edge to, or from, is a component.
// 2. A search forward and one backward from a vertex of high degrees (Fleischer, Hendrickson, Pinar, "On
//    Identifying Strongly Connected Components in Parallel", 2000). Vertices that both reach are one
//    component, as a rule the giant one.
// 3. Colouring (Orzan, "On Distributed Verification and Verified Distribution", 2004): each vertex gets the
//    maximum colour that reaches it. A vertex that keeps its own colour is the root of a component, and
//    searches backward from all roots at once find the others of that colour.
// 4. Tarjan's algorithm ("Depth-First Search and Linear Graph Algorithms", 1972) at core 0, for small parts.
//    It visits each edge once. The other phases visit each vertex several times, and pass over most edges of
//    graphs that have many per vertex. So few cores leave sparse graphs to core 0 at once.
//
// Phases 1 and 3 are repeated. Colours are a random order of vertices, so on a chain of components the
// expected number of rounds is logarithmic. A chain of vertices takes a step for each, so a part with long
// paths goes to core 0 when `patience` is exhausted, unless it is larger than `serial_at_most`.
//
// A graph without rows of edges (`gas::forms_for_maps`) ends the job with `exit_status::usage`. Takes 21
// bytes per vertex, those of transposed(), and for edge maps 18 to 28 bytes per vertex, which stay with the
// graph. Core 0 takes about 64 bytes per vertex and 12 per edge of the part that it computes; on one locale
// 20 bytes per vertex and nothing else.
strong_components_report strongly_connected_components(graph::distributed_graph graph,
                                                       graph::property<std::uint64_t> labels,
                                                       const strong_components_options& options = {},
                                                       const call_site& at = call_site::current());

}  // namespace orujo::internal::algorithms
