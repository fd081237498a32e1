// Personalized PageRank computed serially, with compensated sums.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "framework/verify/simple_graph.hpp"

namespace orujo::verify {

// Ranks by vertex after `iterations`. A walker begins at one of the sources, which are vertices and the
// probabilities of each, and follows an out-edge with probability `damping`, each with a probability in
// proportion to its weight if `weighted`. Otherwise, or if there is no out-edge of a weight above 0, it
// begins anew.
std::vector<double> personalized_pagerank(const simple_graph& graph,
                                          const std::vector<std::pair<std::size_t, double>>& sources,
                                          double damping, int iterations, bool weighted = false);

}  // namespace orujo::verify
