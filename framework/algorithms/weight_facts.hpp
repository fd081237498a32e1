// Facts about a graph's weights for shortest paths: they determine the width of bins, and the precision that
// is exact.
#pragma once

#include <cstdint>

#include "framework/graph/distributed_graph.hpp"

namespace orujo::internal::algorithms {

// Facts about all edges. Without weights each edge weighs 1. No weight is negative.
struct weight_facts {
  double sum = 0;
  std::uint64_t edges = 0, sources = 0;  // vertices with out-edges
  float smallest = 0, largest = 0;
  int grain = 0;  // all weights are multiples of 2^grain; 0 if they are whole numbers

  // Sums of weights below this are exact in single precision, and do not overflow.
  float exact_below() const;
  // True if weights are assumed to be decimals that single precision has rounded. Their sums then have no
  // more digits than a float. This excludes whole numbers, and fractions of powers of two that nine decimals
  // can write.
  bool are_rounded() const;
  // A width for bins; see docs/design/algorithms.md, "Shortest paths".
  float bin_width() const;
};

// [task; suspends; collective over the job] Examines the weights of the out-edges of this core's vertices.
weight_facts find_weight_facts(const graph::locale_graph& g);

}  // namespace orujo::internal::algorithms
