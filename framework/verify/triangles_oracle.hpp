// The triangles of a graph, counted serially.
#pragma once

#include <cstdint>
#include <vector>

#include "framework/verify/simple_graph.hpp"

namespace orujo::verify {

// By vertex: how many triangles it is in. The graph was symmetrized; self-loops do not count.
std::vector<std::uint64_t> triangles(const simple_graph& graph);

}  // namespace orujo::verify
