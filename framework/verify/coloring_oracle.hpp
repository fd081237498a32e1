// A colouring computed serially, and the check of any.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "framework/verify/simple_graph.hpp"

namespace orujo::internal::verify {

// By vertex: the smallest colour, from 0 on, that no earlier neighbour has. Vertices with more neighbours
// come first, ties by the smaller tie breaker. The graph is symmetric; loops count for the degree only.
std::vector<std::int32_t> greedy_coloring(const simple_graph& graph,
                                          std::span<const std::uint64_t> tie_breakers);

// Edges, but loops, both ends of which have the same colour.
std::size_t count_conflicts(const simple_graph& graph, std::span<const std::int32_t> colors);

}  // namespace orujo::internal::verify
