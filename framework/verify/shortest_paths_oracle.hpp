// Distances from one vertex computed serially by Dijkstra's algorithm.
#pragma once

#include <cstddef>
#include <vector>

#include "framework/verify/simple_graph.hpp"

namespace orujo::verify {

// By vertex: the length of the shortest path from vertex number `source`, infinity where there is none. Edges
// without weights have length 1; no weight is negative. A path's length is added up from its start, rounded
// to single precision after every edge: what any correct algorithm in single precision comes to, exactly.
std::vector<float> shortest_paths(const simple_graph& graph, std::size_t source);

}  // namespace orujo::verify
