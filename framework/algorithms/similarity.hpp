// How similar two vertices are, by their common neighbours.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "framework/graph/distributed_graph.hpp"
#include "framework/graph/edge_forms.hpp"
#include "framework/graph/valued_edge.hpp"

namespace orujo::internal::algorithms {

// The forms of edges that similarities need, for load_from_flags().
inline constexpr graph::edge_forms similarity_forms{.in_vectors = false, .out_rows = true, .weights = false};

// With d(v) neighbours of a vertex v, and c common neighbours w of u and v:
//   common_neighbours         c
//   jaccard                   c / (d(u) + d(v) - c)
//   cosine                    c / sqrt(d(u) d(v)), of Salton
//   overlap                   c / min(d(u), d(v))
//   adamic_adar               sum of 1 / ln d(w)
//   resource_allocation       sum of 1 / d(w)
//   preferential_attachment   d(u) d(v)
// A quotient of 0 and 0 is 0.
enum class similarity_measure {
  common_neighbours,
  jaccard,
  cosine,
  overlap,
  adamic_adar,
  resource_allocation,
  preferential_attachment
};

// The measure of this name, as above.
std::optional<similarity_measure> measure_of(std::string_view name);

// The value of every pair, and the time.
struct pair_similarities {
  graph::edge_array<double> pairs;  // the caller destroys it
  double seconds = 0;
};

// [task at core 0; suspends] The similarity of the ends of every edge: source < target, in no order.
//
// The graph is symmetric and has out_rows; a graph without rows of edges ends the job with
// `exit_status::usage`. Loops and parallel edges do not count: a vertex is no neighbour of itself, and
// another one is a neighbour once. So the ends of an edge are neighbours of each other, but not common ones.
//
// Values are the same on any process layout. Sums are exact and rounded once, so a value has the error of at
// most three roundings, or four with weights. Takes 100 bytes per edge in rows (twice the number of
// undirected edges) at most, and 40 per local index and core. Between locales pairs are sent to all locales
// (pair_sums.hpp).
pair_similarities similarities_of_edges(graph::distributed_graph graph, similarity_measure measure);

// [task at core 0; suspends] The similarity of given pairs of vertices, in their order. The pairs are any,
// also several times the same. A vertex and itself have all its neighbours in common, of which adamic_adar
// leaves out those without another neighbour. Takes about 200 bytes per pair.
pair_similarities similarities_of_pairs(graph::distributed_graph graph,
                                        containers::global_array<graph::vertex_pair> pairs,
                                        similarity_measure measure);

}  // namespace orujo::internal::algorithms
