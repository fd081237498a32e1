// Label propagation computed serially.
#pragma once

#include <cstdint>
#include <vector>

#include "framework/verify/simple_graph.hpp"

namespace orujo::internal::verify {

// Labels by vertex after `iterations`. They begin as external ids. In each iteration every vertex with edges
// takes the most frequent label at the other ends of its edges, the smallest of several, all at once. If
// `weighted`, it takes the label of the largest sum of weights, added in ascending order, if that is above 0.
std::vector<std::uint64_t> label_propagation(const simple_graph& graph, int iterations,
                                             bool weighted = false);

}  // namespace orujo::internal::verify
