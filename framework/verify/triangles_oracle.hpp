// The triangles of a graph, counted serially.
#pragma once

#include <cstdint>
#include <vector>

#include "framework/verify/simple_graph.hpp"

namespace orujo::verify {

// By vertex: how many triangles it is in. The graph was symmetrized; self-loops do not count.
std::vector<std::uint64_t> triangles(const simple_graph& graph);

// By vertex: of the pairs of other vertices that it has edges to, the share with an edge between them; 0
// where it has fewer than two. The graph was symmetrized. Found pair by pair.
std::vector<double> clustering_coefficients(const simple_graph& graph);

}  // namespace orujo::verify
