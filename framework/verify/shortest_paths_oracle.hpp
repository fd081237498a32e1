// Distances from one vertex computed serially by Dijkstra's algorithm.
#pragma once

#include <cstddef>
#include <vector>

#include "framework/verify/simple_graph.hpp"

namespace orujo::internal::verify {

// By vertex: the length of the shortest path from vertex number `source`, infinity if there is none. Edges
// without weights have length 1; no weight is negative. A path's length is added up from its start, rounded
// to Distance after every edge: what any correct algorithm with such distances comes to, exactly. Distance:
// float, double or long double.
template <class Distance>
std::vector<Distance> shortest_paths(const simple_graph& graph, std::size_t source);

struct expected_distances {
  std::vector<double> distances;  // by vertex
  // Bound of the relative difference to what double precision comes to: 0 where weights and distances are
  // whole numbers that doubles hold.
  double relative_error = 0;
};

// The same distances, computed in long doubles.
expected_distances precise_distances(const simple_graph& graph, std::size_t source);

}  // namespace orujo::internal::verify
