// Strongly connected components computed serially by Kosaraju's algorithm.
#pragma once

#include <cstdint>
#include <vector>

#include "framework/verify/simple_graph.hpp"

namespace orujo::verify {

// By vertex: the smallest external id among the vertices that paths lead to it from, and from it to.
std::vector<std::uint64_t> strongly_connected_components(const simple_graph& graph);

}  // namespace orujo::verify
