// The forms in which a graph keeps its edges.
#pragma once

namespace orujo::internal::graph {

// The order of the vertices in memory. any: that of a file that has one, or by degree where it pays, or else
// of the ids.
enum class requested_order { any, of_ids, by_degree };

// The forms in which a graph keeps its edges, and conditions on them. A program requests those that it uses.
struct edge_forms {
  bool in_vectors = true;             // in-edges as Vector-Sparse, for the pull engine (vector_sparse.hpp)
  bool in_rows = false;               // in-edges vertex by vertex (adjacency.hpp),
  bool out_rows = false;              // and out-edges; with both_ways either requests both
  bool arcs = false;                  // rows of weighted edges have neighbour and weight side by side
  bool weights = true;                // false: those of files are not read
  bool non_negative_weights = false;  // refuse others as bad_data
  requested_order order = requested_order::any;
  int cut_for_cores = 0;  // if any: cut the vertices for a job of so many, too (locale_graph::other_owners)
};

constexpr edge_forms without_weights(edge_forms forms) {
  forms.weights = false;
  return forms;
}

}  // namespace orujo::internal::graph
