// Supports and truss numbers of edges, computed serially by the definitions.
#pragma once

#include <cstdint>
#include <vector>

#include "framework/verify/edge_comparison.hpp"
#include "framework/verify/simple_graph.hpp"

namespace orujo::internal::verify {

// The number of triangles of every edge of a symmetric graph: source < target, ascending. Loops are left out.
std::vector<plain_edge<std::uint32_t>> edge_supports(const simple_graph& graph);

// The truss number of every edge, likewise. Edges are removed one by one, always one with the fewest
// triangles left (Wang, Cheng, "Truss Decomposition in Massive Networks", PVLDB 5, 2012, algorithm 2).
std::vector<plain_edge<std::uint32_t>> truss_numbers(const simple_graph& graph);

}  // namespace orujo::internal::verify
