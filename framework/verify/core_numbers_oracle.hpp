// Core numbers computed serially by peeling.
#pragma once

#include <cstdint>
#include <vector>

#include "framework/verify/simple_graph.hpp"

namespace orujo::internal::verify {

// By vertex of a symmetric graph. Vertices are removed one by one, always one with the fewest edges left. The
// core number is the largest such number so far (Batagelj, Zaversnik, "An O(m) Algorithm for Cores
// Decomposition of Networks", 2003). A loop counts once.
std::vector<std::uint32_t> core_numbers(const simple_graph& graph);

// The numbers by weights, and the error of sums in double precision: `relative_error` of each number. Below
// `least` it is relative to that.
struct weighted_cores {
  std::vector<double> numbers;
  double relative_error = 0, least = 0;
};

// By vertex of a symmetric graph whose weights are not negative. Vertices are removed one by one, always one
// whose edges to the others have the least sum of weights. The core number is the largest such sum so far.
// Weights are whole numbers of 2^-90 of the largest one, and sums are exact.
weighted_cores weighted_core_numbers(const simple_graph& graph);

}  // namespace orujo::internal::verify
