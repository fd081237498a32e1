// Personalized PageRank computed serially, with compensated sums.
#pragma once

#include <cstddef>
#include <vector>

#include "framework/verify/simple_graph.hpp"

namespace orujo::verify {

// By vertex, after so many iterations: a walker begins at the source, follows any out-edge with the
// probability damping, and otherwise, or where there is none, goes back.
std::vector<double> personalized_pagerank(const simple_graph& graph, std::size_t source, double damping,
                                          int iterations);

}  // namespace orujo::verify
