// A minimum spanning forest: of each component a tree of its edges whose weights have the least sum.
#pragma once

#include <cstdint>

#include "framework/graph/distributed_graph.hpp"
#include "framework/graph/edge_forms.hpp"
#include "framework/graph/valued_edge.hpp"
#include "system/loops/stop_flag.hpp"

namespace orujo::internal::algorithms {

// The forms of edges that minimum_spanning_forest() needs, for load_from_flags(): rows in both directions.
inline constexpr graph::edge_forms spanning_forest_forms{
    .in_vectors = false, .in_rows = true, .out_rows = true};

// Stages, and an early end.
struct spanning_forest_options {
  // The lightest edges come first, about so many times the number of vertices.
  double light_edges_per_vertex = 2;
  loops::stop_flag stop = {};  // once it is set, no other round follows
};

// A forest, and the figures of the run.
struct spanning_forest {
  graph::edge_array<float> edges;  // source < target, in no order; the caller destroys it
  double weight = 0;               // their sum
  std::uint64_t trees = 0;         // vertices without edges are trees, too
  std::uint64_t collected = 0;     // edges that were compared with others
  int rounds = 0;
  double seconds = 0;
  bool ended = true;  // false: it was stopped, and edges are missing
};

// [task at core 0; suspends] The edges of a minimum spanning forest, whatever their directions. Weights may
// be negative, and are 1 in a graph without weights. Positions of the ends (numbering.hpp) decide between
// equal weights: the smaller one of each edge first, then the other. So the forest is the same on any
// number of locales and cores, and in any order of the vertices.
//
// Rounds are those of Boruvka (boruvka.hpp). As in Filter-Kruskal (Osipov, Sanders, Singler, "The
// Filter-Kruskal Minimum Spanning Tree Algorithm", ALENEX 2009), they begin with the lightest edges, up to
// quantiles of a sample. Most others then join vertices of one component and are left out. Rows of the
// giant component's vertices are not even read, as in Afforest (local_components.hpp). An edge that leads out
// of it is also in the row of the vertex outside.
//
// A graph without rows of edges ends the job with `exit_status::usage`. Takes what boruvka does, and 24 bytes
// per edge that is collected.
spanning_forest minimum_spanning_forest(graph::distributed_graph graph,
                                        const spanning_forest_options& options = {});

}  // namespace orujo::internal::algorithms
