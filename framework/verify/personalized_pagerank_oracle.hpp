// Personalized PageRank computed serially, with compensated sums.
#pragma once

#include <cstddef>
#include <vector>

#include "framework/verify/simple_graph.hpp"

namespace orujo::verify {

// Ranks by vertex after `iterations`. A walker begins at the source and follows an out-edge with probability
// `damping`. Otherwise, or if there is no out-edge, it goes back to the source.
std::vector<double> personalized_pagerank(const simple_graph& graph, std::size_t source, double damping,
                                          int iterations);

}  // namespace orujo::verify
