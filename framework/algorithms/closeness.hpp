// Closeness and harmonic centrality: how near the other vertices are to a vertex.
#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "framework/algorithms/multi_source_search.hpp"
#include "framework/gas/run.hpp"
#include "framework/graph/distributed_graph.hpp"
#include "framework/graph/property.hpp"

namespace orujo::internal::algorithms {

// The distances from sources to a vertex, those of the vertex itself apart.
struct distance_totals {
  std::uint64_t reached_by = 0;  // sources
  std::uint64_t distances = 0;   // their sum
  double inverses = 0;           // the sum of their reciprocals
  std::uint64_t is_source = 0;   // 1 or 0
};

// Adds up the distances that a multi_source_search finds. Several searches may add to the same property.
struct distance_sums {
  void start(const graph::vertex& v, bool is_source) { totals.here()[v.local].is_source |= is_source; }
  void find(const graph::vertex& v, std::uint64_t searches, std::int32_t distance) {
    const auto count = static_cast<std::uint64_t>(std::popcount(searches));
    distance_totals& its = totals.here()[v.local];
    its.reached_by += count;
    its.distances += count * static_cast<std::uint64_t>(distance);
    its.inverses += static_cast<double>(count) / distance;
  }
  void checkpoint(graph::program_state&) {}

  graph::property<distance_totals> totals;
};

// Searches that add up distances.
using distance_search = multi_source_search<distance_sums>;

// A centrality that find_closeness() computes.
enum class nearness { closeness, harmonic };

// The centrality, and how its searches run.
struct closeness_options {
  nearness measure = nearness::closeness;
  // Closeness is multiplied by the share of the other vertices that reach the vertex. Wasserman, Faust,
  // "Social Network Analysis", Cambridge 1994, page 201. Else a vertex that few vertices reach, all of them
  // near, counts as central.
  bool wf_improved = true;
  gas::run_options run = {};
};

// The figures of a run of find_closeness().
struct closeness_report {
  std::uint64_t sources = 0;
  std::uint64_t searches = 0;  // sources without out-edges need none
  std::uint64_t reached = 0;   // vertices, over all searches, without the sources
  int supersteps = 0;
  double seconds = 0;
  bool ended = true;  // false: it was stopped, and there is no result
};

// [task at core 0; suspends] Centralities by distances along the edges to each vertex; weights do not count.
// With d(s, v) from source s to vertex v, over the sources s other than v that reach it:
//   closeness   their number / the sum of d(s, v), times their share of all sources other than v if
//               wf_improved; 0 if no source reaches v
//   harmonic    the sum of 1 / d(s, v), times (vertices - 1) / (number of sources other than v)
// `sources` has the positions of vertices (numbering.hpp), different ones, or none for all vertices. All give
// the exact centralities. A sample gives the estimates of Eppstein, Wang, "Fast Approximation of Centrality",
// SODA 2001. With O(log n / e^2) sources the mean distance to a vertex is within e times the diameter, with
// high probability.
//
// Sources are searched from 64 at a time (multi_source_search.hpp), in the order of their positions. So the
// results are the same on any number of locales and cores, and in any order of the vertices. A run takes at
// most (diameter + 1) supersteps for every 64 sources. The relative error of a harmonic centrality is at most
// (sources + 3) 2^-53. A run takes 40 bytes per own vertex beside what the searches take. Checkpoints are
// written between searches. A graph without the forms of gas::forms_for<distance_search>() ends the job with
// exit_status::usage.
closeness_report find_closeness(graph::distributed_graph graph, graph::property<double> scores,
                                std::span<const std::uint64_t> sources = {},
                                const closeness_options& options = {},
                                const call_site& at = call_site::current());

}  // namespace orujo::internal::algorithms

namespace orujo::internal::gas {

// Compiled once, in the library.
extern template run_report run(algorithms::distance_search&, graph::distributed_graph, const run_options&);

}  // namespace orujo::internal::gas
