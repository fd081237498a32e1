// The triangles of a graph, counted serially.
#pragma once

#include <cstdint>
#include <vector>

#include "framework/verify/simple_graph.hpp"

namespace orujo::verify {

// By vertex: how many triangles it is in. The graph was symmetrized; self-loops do not count.
std::vector<std::uint64_t> triangles(const simple_graph& graph);

// By vertex: its neighbours are those that an edge leads to or from, but itself; of the pairs of two of them,
// in either order, the share with an edge from the first to the second; 0 where it has fewer than two. Of a
// graph that was symmetrized that is of the pairs the share that has an edge. Found pair by pair.
std::vector<double> clustering_coefficients(const simple_graph& graph);

}  // namespace orujo::verify
