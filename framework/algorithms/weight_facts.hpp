// What shortest paths need to know of a graph's weights: how wide bins are to be, and which precision is
// exact.
#pragma once

#include <cstdint>

#include "framework/graph/distributed_graph.hpp"

namespace orujo::algorithms {

// Of all edges; without weights each weighs 1. No weight is negative.
struct weight_facts {
  double sum = 0;
  std::uint64_t edges = 0, sources = 0;  // vertices with out-edges
  float smallest = 0, largest = 0;
  int grain = 0;  // all weights are multiples of 2^grain; 0 where they are whole numbers

  // Sums of weights below this are exact in single precision, and do not overflow.
  float exact_below() const;
  // Whether weights are taken for decimals that single precision has rounded: their sums then have no more
  // digits than a float. Whole numbers are not, nor fractions of powers of two that nine decimals write.
  bool are_rounded() const;
  // A width for bins: docs/design/algorithms.md, "Shortest paths".
  float bin_width() const;
};

// [task; suspends; collective over the job] Looks at the weights of this core's vertices' out-edges.
weight_facts find_weight_facts(const graph::locale_graph& g);

}  // namespace orujo::algorithms
