// Betweenness centrality computed serially.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "framework/verify/edge_comparison.hpp"
#include "framework/verify/simple_graph.hpp"

namespace orujo::verify {

struct expected_scores {
  std::vector<double> scores;  // by vertex
  // Bound of the relative difference to what double precision comes to, in any order of summation. Scores
  // below the smallest normal number have it relative to that.
  double relative_error = 0;
};

// By vertex: the sum over the sources of the share of shortest paths from the source to any other vertex that
// leads through the vertex, both ends excluded. Parallel edges are different paths, weights do not count.
// Numbers of paths may have any size: they are long doubles with an exponent beside them.
expected_scores betweenness(const simple_graph& graph, std::span<const std::size_t> sources);

struct expected_edge_scores {
  std::vector<plain_edge<double>> edges;  // ascending
  double relative_error = 0;              // as above
};

// By edge: the same sum of the share of paths that lead along the edge. Parallel edges have one score
// together, and so do both directions of an edge, source <= target, if `undirected`.
expected_edge_scores edge_betweenness(const simple_graph& graph, std::span<const std::size_t> sources,
                                      bool undirected);

}  // namespace orujo::verify
