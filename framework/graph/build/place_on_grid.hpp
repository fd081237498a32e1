// Edges that the locales of a row and a column of the grid keep for each other (grid_of_locales.hpp). This is
// a cut in two dimensions, after Boman, Devine, Rajamanickam, "Scalable Matrix Computations on Large
// Scale-Free Graphs Using 2D Graph Partitioning", SC 2013.
#pragma once

#include <cstdint>
#include <vector>

#include "framework/graph/build/build_options.hpp"
#include "framework/graph/build/rows.hpp"
#include "framework/graph/distributed_graph.hpp"

namespace orujo::internal::graph {

// The values that travel in a superstep that pulls.
struct travelling_values {
  std::uint64_t by_target = 0;  // to mirrors
  std::uint64_t grid = 0;       // to mirrors, and from guests
};

// Any thread. True if a grid leaves few enough of many values: totals make another trip, and travel whether
// they have changed or not. Time of PageRank on nodes of one core, on a grid over by target, and in brackets
// the share of the values that a grid leaves (links of 1 Gbit/s):
//
//               4 nodes       8 nodes
//   mesh        1.16 (1.33)
//   kronecker   0.81 (0.82)   0.79 (0.77)
//   uniform     0.73 (0.67)   0.76 (0.58)
bool grid_pays(const travelling_values& of, int cores);

// [task; suspends; collective over the job] The placement that the options request. If it is automatic: grid
// in jobs of several nodes where it pays, in a sample of the rows. Within a node values are cheap, and it
// takes 20 to 90 supersteps to save what it costs to move the edges. The rows are those of in-edges by
// vertex numbers. In a graph that is not symmetric they stand for the rows of out-edges, too.
edge_placement choose_placement(const locale_graph& g, const rows& in, const build_options& options);

// The in-edges of guests that a core keeps, a row for each.
struct guest_rows {
  rows of;                             // neighbours as numbers
  std::vector<std::uint64_t> numbers;  // of the guests, ascending
};

// [task; suspends; collective over the job] Moves each in-edge of the calling core's vertices to the locale
// in its target's row and its source's column of the grid. Edges that stay are in `in` afterwards;
// returns the others that have come. Writes the core's `guests_at`. Costs 8 bytes per edge that moves, 16
// with weights, at both ends.
guest_rows place_on_grid(locale_graph& g, rows& in);

}  // namespace orujo::internal::graph
