// A maximal independent set of an undirected graph: vertices of which no two are neighbours, and to which no
// other vertex can be added.
#pragma once

#include <cstdint>

#include "framework/gas/edge_map.hpp"
#include "framework/graph/distributed_graph.hpp"
#include "framework/graph/property.hpp"
#include "system/base/call_site.hpp"
#include "system/base/random.hpp"
#include "system/loops/stop_flag.hpp"

namespace orujo::internal::algorithms {

// The seed of the priorities, and how maximal_independent_set() runs.
struct independent_set_options {
  std::uint64_t seed = 1;  // of the priorities
  gas::edge_map_options maps = {};
  loops::stop_flag stop = {};  // once it is set, no other round follows
};

// The figures of a run of maximal_independent_set().
struct independent_set_report {
  std::uint64_t size = 0;  // of the set
  int rounds = 0;
  double seconds = 0;
  bool ended = true;  // false: it was stopped, and there is no result
};

// The priority of a vertex in the set's order; the smaller goes first. Different ids have different
// priorities, as mix64 is a bijection.
inline std::uint64_t independent_set_priority(std::uint64_t id, std::uint64_t seed) {
  return mix64(id ^ mix64(seed));
}

// [task at core 0; suspends] Sets `members` to 1 in the set, and to 0 outside.
//
// Vertices have random priorities, fixed from the beginning (after Luby, "A Simple Parallel Algorithm for the
// Maximal Independent Set Problem", STOC 1985). The result is the set of a serial program that goes through
// the vertices by priority and takes each one that it can, for any number of locales and cores. A round
// handles a prefix of that order, after Blelloch, Fineman, Shun, "Greedy Sequential Maximal Independent Set
// and Matching are Parallel on Average", SPAA 2012. Undecided vertices of the prefix join if none of their
// neighbours there is earlier, and their neighbours are out. There are O(log^2 vertices) rounds with high
// probability.
//
// The graph is symmetric; loops do not count. A graph without rows of edges (`gas::forms_for_maps`) ends the
// job with `exit_status::usage`. Maps take 18 to 28 bytes per vertex, which stay with the graph. In a round,
// mirrors receive the priorities of the prefix, 8 bytes each, and the vertices that join, at most a bit each.
// Checkpoints are written between rounds.
independent_set_report maximal_independent_set(graph::distributed_graph graph,
                                               graph::property<std::uint8_t> members,
                                               const independent_set_options& options = {},
                                               const call_site& at = call_site::current());

}  // namespace orujo::internal::algorithms
