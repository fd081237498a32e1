// Levels of a directed acyclic graph, computed serially along a depth-first order.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "framework/verify/simple_graph.hpp"

namespace orujo::internal::verify {

// By vertex: the number of edges of a longest path that ends there. None if the graph has a cycle.
std::optional<std::vector<std::uint64_t>> dag_levels(const simple_graph& graph);

}  // namespace orujo::internal::verify
