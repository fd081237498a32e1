// Personalized PageRank computed serially, with compensated sums.
#pragma once

#include <cstddef>
#include <vector>

#include "framework/verify/simple_graph.hpp"

namespace orujo::verify {

// Ranks by vertex after `iterations`. A walker begins at the source and follows an out-edge with probability
// `damping`, each with a probability in proportion to its weight if `weighted`. Otherwise, or if
// there is no out-edge of a weight above 0, it goes back to the source.
std::vector<double> personalized_pagerank(const simple_graph& graph, std::size_t source, double damping,
                                          int iterations, bool weighted = false);

}  // namespace orujo::verify
