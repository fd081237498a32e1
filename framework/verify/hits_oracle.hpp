// Hubs and authorities computed serially, with compensated sums.
#pragma once

#include <vector>

#include "framework/verify/simple_graph.hpp"

namespace orujo::internal::verify {

// By vertex.
struct hits_scores {
  std::vector<double> hubs, authorities;
};

// Scores after `iterations`. An iteration sets authorities to sums of hubs, then hubs to sums of authorities,
// and scales both to length 1. All begin equal.
hits_scores hits(const simple_graph& graph, int iterations);

}  // namespace orujo::internal::verify
