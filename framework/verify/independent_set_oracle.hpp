// A maximal independent set computed serially.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "framework/verify/simple_graph.hpp"

namespace orujo::internal::verify {

// By vertex, 1 inside and 0 outside: takes the vertices in ascending order of their priorities, which are by
// vertex and all different, each unless a neighbour has been taken. The graph is symmetric; loops do not
// count.
std::vector<std::uint32_t> greedy_independent_set(const simple_graph& graph,
                                                  std::span<const std::uint64_t> priorities);

}  // namespace orujo::internal::verify
