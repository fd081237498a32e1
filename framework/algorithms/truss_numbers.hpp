// The support and the truss number of every edge of an undirected graph.
#pragma once

#include <cstdint>

#include "framework/graph/distributed_graph.hpp"
#include "framework/graph/edge_forms.hpp"
#include "framework/graph/valued_edge.hpp"

namespace orujo::internal::algorithms {

// The forms of edges that edge_support() and truss_numbers() need, for load_from_flags().
inline constexpr graph::edge_forms truss_forms{.in_vectors = false, .out_rows = true, .weights = false};

// The value of every edge, and the figures of the run.
struct edge_triangles {
  graph::edge_array<std::uint32_t> edges;  // source < target, in no order; the caller destroys it
  std::uint64_t triangles = 0;             // of the whole graph, each once
  std::uint32_t largest = 0;               // value, 0 without edges
  std::uint64_t of_largest = 0;            // edges that have it
  int levels = 0, rounds = 0;              // of truss_numbers()
  double seconds = 0;
};

// [task at core 0; suspends] The support of every edge: the number of triangles that it belongs to.
//
// The graph is symmetric and has out_rows; a graph without rows of edges ends the job with
// `exit_status::usage`. Self-loops and parallel edges do not count. Each triangle is found once, from its two
// vertices of lower degree.
//
// Takes 40 bytes per edge in rows (twice the number of undirected edges), beside 24 per local index and 4
// more per local index and core. With several locales, an edge between two of them goes to all others, which
// takes 24 bytes each, and so does the sum of the triangles that they find.
edge_triangles edge_support(graph::distributed_graph graph);

// [task at core 0; suspends] The truss number of every edge: the largest k such that the edge belongs to the
// k-truss. That is the largest subgraph whose edges all belong to k - 2 triangles in it. It is 2 for edges
// without triangles. The graph is that of edge_support().
//
// Edges are peeled in parallel, as in Kabir, Madduri, "Parallel k-truss Decomposition on Multicore Systems",
// HPEC 2017. A level removes the edges of least support, then those that are left with no more than these
// had, and so on. Triangles of removed edges are found in rows that lose their removed members from time to
// time.
//
// Between locales, the third vertex of a triangle decides where it is found: its owner has the edges to both
// ends. A removed edge between two locales goes to all others, and a locale sends 8 bytes for each triangle
// that it takes from an edge of another one. Takes what edge_support() does, and 24 bytes per edge.
edge_triangles truss_numbers(graph::distributed_graph graph);

}  // namespace orujo::internal::algorithms
