// Betweenness centrality computed serially.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "framework/verify/edge_comparison.hpp"
#include "framework/verify/simple_graph.hpp"

namespace orujo::internal::verify {

struct expected_scores {
  std::vector<double> scores;  // by vertex
  // Bound of the relative difference to what double precision comes to, in any order of summation. Scores
  // below the smallest normal number have it relative to that.
  double relative_error = 0;
};

// The length of a path: its number of edges, or the sum of their weights. Sums are in double precision, from
// the source on, and paths are equally long if these are the same. With weights each edge of a shortest path
// must make its sum larger. Without weights in the graph each edge has length 1.
enum class path_lengths { edges, weights };

// By vertex: the sum over the sources of the share of shortest paths from the source to any other vertex that
// leads through the vertex, both ends excluded. Parallel edges are different paths.
// Numbers of paths may have any size: they are long doubles with an exponent beside them.
expected_scores betweenness(const simple_graph& graph, std::span<const std::size_t> sources,
                            path_lengths by = path_lengths::edges);

struct expected_edge_scores {
  std::vector<plain_edge<double>> edges;  // ascending
  double relative_error = 0;              // as above
};

// By edge: the same sum of the share of paths that lead along the edge. Parallel edges have one score
// together, and so do both directions of an edge, source <= target, if `undirected`.
expected_edge_scores edge_betweenness(const simple_graph& graph, std::span<const std::size_t> sources,
                                      bool undirected, path_lengths by = path_lengths::edges);

}  // namespace orujo::internal::verify
