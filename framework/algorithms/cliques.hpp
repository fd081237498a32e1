// Counts the cliques of k vertices exactly: sets of k vertices that all have edges with each other.
#pragma once

#include <cstdint>
#include <optional>

#include "framework/graph/distributed_graph.hpp"
#include "framework/graph/edge_forms.hpp"
#include "framework/graph/property.hpp"
#include "system/base/status.hpp"

namespace orujo::internal::algorithms {

// The forms of edges that count_cliques() needs, for load_from_flags().
inline constexpr graph::edge_forms clique_forms{.in_vectors = false, .out_rows = true, .weights = false};

// The numbers of vertices that a clique may have.
inline constexpr int smallest_clique = 3, largest_clique = 64;

// The result and the figures of a run.
struct clique_report {
  std::uint64_t cliques = 0;  // of the whole graph, each once
  int rounds = 0;             // in which rows of other locales were fetched, 1 on one locale
  double seconds = 0;
};

// [task at core 0; suspends] Counts the cliques of `size` vertices, from smallest_clique to largest_clique.
// With `by_vertex`, a property of the graph, it also counts those of each vertex, which costs a step for each
// clique.
//
// The graph is symmetric and has out_rows; a graph without rows of edges ends the job with
// `exit_status::usage`. Loops and parallel edges do not count. Fails with bad_data if there are 2^64 cliques
// or more.
//
// A vertex has a row of its neighbours of higher degree (triangle_rows.hpp), at most about sqrt(2 edges). A
// clique is counted at its vertex of lowest degree, as in Danisch, Balalau, Sozio, "Listing k-cliques in
// Sparse Real-World Graphs", WWW 2018. The edges among the row's members are a matrix of bits
// (clique_search.hpp). The time grows with the number of cliques of size - 2 vertices.
//
// Takes the rows of triangle_rows.hpp by degree. A core takes the matrix of one row, a bit for each pair of
// its members, and 4 bytes and a bit per local index. Counts by vertex take 8 bytes per local index. Between
// locales, the rows of mirrors (ghost vertices) travel to the locales that need them, once in each round, 4
// bytes per member. A round's rows take about 64 MiB of a core, and what those of one vertex take.
result<clique_report> count_cliques(graph::distributed_graph graph, int size,
                                    std::optional<graph::property<std::uint64_t>> by_vertex = {});

}  // namespace orujo::internal::algorithms
