// Strongly connected components computed serially by Kosaraju's algorithm, and the edges between them.
#pragma once

#include <cstdint>
#include <vector>

#include "framework/verify/edge_comparison.hpp"
#include "framework/verify/simple_graph.hpp"

namespace orujo::internal::verify {

// By vertex: the smallest external id among the vertices that paths lead to it from, and from it to.
std::vector<std::uint64_t> strongly_connected_components(const simple_graph& graph);

// The pairs of different components that edges lead between, by their smallest vertices, ascending, with the
// number of these edges.
std::vector<plain_edge<std::uint64_t>> condensation(const simple_graph& graph);

}  // namespace orujo::internal::verify
