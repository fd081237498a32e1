// The triangles of a graph, counted serially.
#pragma once

#include <cstdint>
#include <vector>

#include "framework/verify/simple_graph.hpp"

namespace orujo::verify {

// By vertex: the number of triangles that it is in. The graph was symmetrized; self-loops do not count.
std::vector<std::uint64_t> triangles(const simple_graph& graph);

// By vertex: the share of ordered pairs of its neighbours with an edge from the first to the second.
// Neighbours are the other ends of in- and out-edges, except the vertex itself. The share is 0 with fewer
// than two neighbours. Found pair by pair.
std::vector<double> clustering_coefficients(const simple_graph& graph);

}  // namespace orujo::verify
