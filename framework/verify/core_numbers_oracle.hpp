// Core numbers computed serially by peeling.
#pragma once

#include <cstdint>
#include <vector>

#include "framework/verify/simple_graph.hpp"

namespace orujo::verify {

// By vertex of a symmetric graph. Vertices are removed one by one, always one with the fewest edges left. The
// core number is the largest such number so far (Batagelj, Zaversnik, "An O(m) Algorithm for Cores
// Decomposition of Networks", 2003). A loop counts once.
std::vector<std::uint32_t> core_numbers(const simple_graph& graph);

}  // namespace orujo::verify
