// Closeness and harmonic centrality computed serially.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "framework/verify/simple_graph.hpp"

namespace orujo::internal::verify {

// By vertex, and the relative error of double precision, in any order of summation.
struct expected_closeness {
  std::vector<double> closeness;  // reachable sources / sum of their distances
  std::vector<double> improved;   // times the share of the other sources that reach the vertex
  std::vector<double> harmonic;   // sum of reciprocals, scaled up to all other vertices
  double relative_error = 0;
};

// Over the distances from the sources, different vertices, to each other vertex, by one breadth-first search
// after the other.
expected_closeness find_closeness(const simple_graph& graph, std::span<const std::size_t> sources);

}  // namespace orujo::internal::verify
