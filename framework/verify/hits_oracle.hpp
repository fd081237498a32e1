// Hubs and authorities computed serially, with compensated sums.
#pragma once

#include <vector>

#include "framework/verify/simple_graph.hpp"

namespace orujo::verify {

// By vertex.
struct hits_scores {
  std::vector<double> hubs, authorities;
};

// After so many iterations, of which each makes the authorities sums of hubs and then the hubs sums of
// authorities, and both of length 1. All begin equal.
hits_scores hits(const simple_graph& graph, int iterations);

}  // namespace orujo::verify
