// Label propagation computed serially.
#pragma once

#include <cstdint>
#include <vector>

#include "framework/verify/simple_graph.hpp"

namespace orujo::verify {

// By vertex, after so many iterations: labels begin as external ids; in each iteration every vertex with
// edges takes the label that most of their other ends have, the smallest of several, all at once.
std::vector<std::uint64_t> label_propagation(const simple_graph& graph, int iterations);

}  // namespace orujo::verify
