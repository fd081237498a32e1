// A maximal independent set of an undirected graph: vertices of which no two are neighbours, and beside which
// there is room for no other.
#pragma once

#include <atomic>
#include <cstdint>

#include "framework/gas/edge_map.hpp"
#include "framework/gas/property.hpp"
#include "framework/graph/distributed_graph.hpp"
#include "system/base/call_site.hpp"
#include "system/base/random.hpp"

namespace orujo::algorithms {

struct independent_set_options {
  std::uint64_t seed = 1;  // of the priorities
  gas::edge_map_options maps = {};
  const std::atomic<bool>* stop = nullptr;  // once it is set, no other round follows
};

struct independent_set_report {
  std::uint64_t size = 0;  // of the set
  int rounds = 0;
  double seconds = 0;
  bool ended = true;  // false: it was stopped, and there is no result
};

// The priority of a vertex in the set's order; the smaller goes first. Different ids have different ones:
// mix64 is a bijection.
inline std::uint64_t independent_set_priority(std::uint64_t id, std::uint64_t seed) {
  return mix64(id ^ mix64(seed));
}

// [task at core 0; suspends] Sets members to 1 in the set, and to 0 outside.
//
// Luby, "A Simple Parallel Algorithm for the Maximal Independent Set Problem", STOC 1985, with priorities
// that are fixed from the beginning: the result is the set that a serial program finds which takes every
// vertex that it can in the order of the priorities, whatever the split (Blelloch, Fineman, Shun, "Greedy
// Sequential Maximal Independent Set and Matching are Parallel on Average", SPAA 2012). Like theirs, it goes
// by prefixes of the order: a round looks at undecided vertices up to some priority. Those without an earlier
// neighbour among these join, and their neighbours are out. Takes O(log^2 vertices) rounds with high
// probability.
//
// The graph is symmetric; loops do not count. It keeps rows (gas::forms_for_maps), else the job ends with
// exit_status::usage. A vertex takes some 25 bytes (its byte of the result, what it shows, what it has heard,
// entries of lists), which stay with the graph. Between locales, a round tells mirrors of the priorities of
// its vertices, 8 bytes each, and a bit at most of those that join.
independent_set_report maximal_independent_set(graph::distributed_graph graph,
                                               gas::property<std::uint8_t> members,
                                               const independent_set_options& options = {},
                                               const call_site& at = call_site::current());

}  // namespace orujo::algorithms
