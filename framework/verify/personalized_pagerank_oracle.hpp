// Personalized PageRank computed serially, with compensated sums.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "framework/verify/simple_graph.hpp"

namespace orujo::internal::verify {

// Ranks by vertex after `iterations`. `sources` has vertices and the probability that a walker begins there.
// With probability `damping` it follows an out-edge: each is equally likely, or in proportion to its weight
// if `weighted`. Otherwise, or if there is no out-edge of a weight above 0, it begins anew.
std::vector<double> personalized_pagerank(const simple_graph& graph,
                                          const std::vector<std::pair<std::size_t, double>>& sources,
                                          double damping, int iterations, bool weighted = false);

}  // namespace orujo::internal::verify
