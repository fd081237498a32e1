// A minimum spanning forest computed serially by Kruskal's algorithm.
#pragma once

#include <vector>

#include "framework/verify/edge_comparison.hpp"
#include "framework/verify/simple_graph.hpp"

namespace orujo::internal::verify {

// The edges of the forest, whatever their directions: source < target, ascending. Sources, and then
// targets, decide between equal weights. Weights are 1 in a graph without.
std::vector<plain_edge<float>> minimum_spanning_forest(const simple_graph& graph);

}  // namespace orujo::internal::verify
