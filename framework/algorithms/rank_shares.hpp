// How a vertex divides its rank among its out-edges, in PageRank and personalized PageRank.
#pragma once

#include <cstdint>

#include "framework/graph/distributed_graph.hpp"
#include "framework/graph/edge_forms.hpp"
#include "framework/graph/property.hpp"
#include "framework/graph/vertex.hpp"
#include "system/base/host_device.hpp"

namespace orujo::internal::algorithms {

// Equally: a repeated edge counts as often as it occurs, and weights do not count.
struct equal_shares {
  // The share of an edge. `shown` is the rank of its source divided by of_all().
  template <class V>
  ORUJO_HOST_DEVICE V of_edge(V shown, V) const {
    return shown;
  }
  // A program that every core constructs calls this first.
  void enter() {}
  // All shares of a vertex.
  ORUJO_HOST_DEVICE std::uint32_t of_all(const graph::vertex& v) const { return v.out_degree; }
};

// In proportion to weights, which are not negative.
template <class Real>
struct shares_by_weight {
  template <class V>
  V of_edge(V shown, V weight) const {
    return shown * weight;
  }
  void enter() { here = sums.here().data(); }
  Real of_all(const graph::vertex& v) const { return here ? here[v.local] : sums[v]; }

  graph::property<Real> sums;  // of the weights of each vertex's out-edges
  const Real* here = nullptr;  // of the locale, after enter()
};

// The sums of weights, and their range.
template <class Real>
struct out_weight_sums {
  graph::property<Real> sums;     // the caller destroys it
  double least = 0, largest = 0;  // of the sums above 0; 0 if there are none

  // True if ranks divided by the sums are within the range of single precision.
  bool fit_single_precision() const { return largest == 0 || (least >= 1e-20 && largest <= 1e20); }
};

// [task; suspends] Sums the weights of every vertex's out-edges. The sums are rounded once or twice, whatever
// their length. The graph has out_rows. Edges without weights have the weight 1.
template <class Real>
out_weight_sums<Real> sum_weights(graph::distributed_graph graph);

extern template out_weight_sums<float> sum_weights<float>(graph::distributed_graph);
extern template out_weight_sums<double> sum_weights<double>(graph::distributed_graph);

// The forms of edges that a program with shares_by_weight needs, given those that it needs without.
constexpr graph::edge_forms by_weight(graph::edge_forms forms) {
  forms.out_rows = forms.weights = forms.non_negative_weights = true;
  return forms;
}

}  // namespace orujo::internal::algorithms
