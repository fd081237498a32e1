// The cliques of a graph, counted serially one by one.
#pragma once

#include <cstdint>
#include <vector>

#include "framework/verify/simple_graph.hpp"

namespace orujo::internal::verify {

// By vertex: the number of cliques of `size` vertices that it is in. The graph was symmetrized; self-loops do
// not count. Each clique is found by adding vertices in ascending order.
std::vector<std::uint64_t> cliques(const simple_graph& graph, int size);

}  // namespace orujo::internal::verify
