// Betweenness centrality computed serially.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "framework/verify/simple_graph.hpp"

namespace orujo::verify {

// By vertex: the sum over the sources of the share of shortest paths from the source to any other vertex that
// leads through the vertex, both ends excluded. Parallel edges are different paths, weights do not count.
std::vector<double> betweenness(const simple_graph& graph, std::span<const std::size_t> sources);

}  // namespace orujo::verify
