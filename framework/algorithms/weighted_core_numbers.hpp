// Core numbers by weights: the s-cores of a graph.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "framework/algorithms/weight_facts.hpp"
#include "framework/gas/run.hpp"

namespace orujo::internal::algorithms {

// Weighted core numbers, a vertex program. The number of a vertex is the largest s such that it belongs to a
// subgraph in which every vertex has a strength of at least s. The strength of a vertex is the sum of the
// weights of its edges. After Eidsaa, Almaas, "s-core Network Decomposition", Physical Review E 88, 2013. Run
// it on every core. The graph is symmetric, and weights are not negative. Without weights each is 1, and
// these are the core numbers.
//
// Core numbers begin at infinity. In a superstep every vertex takes the largest s such that its neighbours of
// at least s have edges of at least s in all. Numbers fall until none changes, and are then the core numbers.
// For weights of 1 this is Lü, Zhou, Zhang, Stanley, "The H-index of a Network Node and its Relation to
// Degree and Coreness", Nature Communications 7, 2016. Peeling (core_numbers.hpp) takes a level for each
// different number, of which weights give about as many as vertices. Here a number travels an edge per
// superstep, so a path of equal weights takes half as many supersteps as it has vertices.
//
// Weights are added in double precision, in the order of the neighbours' numbers and then of weights. So
// results are the same on any process layout. They are exact if sums have at most 53 bits, as of whole
// weights. Otherwise the relative error is at most 2^-53 per edge of the vertex of most edges. A loop counts
// once.
struct weighted_core_numbers {
  using value = double;
  using aggregate = gas::nothing;
  static constexpr bool incremental = true;

  // [task; suspends; collective over the job] The numbers are the locale's, by own vertex.
  weighted_core_numbers(const graph::locale_graph& g, std::span<double> cores)
      : cores_(g.own_values(cores).data()) {
    const weight_facts facts = find_weight_facts(g);
    if (facts.sum < std::ldexp(1.0, 53 + facts.grain)) slack_ = 0;
  }

  double start(const graph::vertex& v, aggregate&) {
    return cores_[v.local] = std::numeric_limits<double>::infinity();
  }

  double collect(const graph::vertex&, double own, const gas::neighbours<double>& all) {
    // Most vertices keep their number, which takes no order of neighbours.
    double above = 0;
    for (const auto& [number, weight] : all) above += number >= own ? static_cast<double>(weight) : 0;
    if (above * (1 - slack_ * static_cast<double>(all.size())) >= own) return own;
    seen_.clear();
    for (const auto& [number, weight] : all) seen_.emplace_back(number, weight);
    std::sort(seen_.begin(), seen_.end(), [](const auto& a, const auto& b) {
      return a.first != b.first ? a.first > b.first : a.second < b.second;
    });
    double best = 0, strength = 0;
    for (const auto& [number, weight] : seen_) {
      if (number <= best) break;
      strength += static_cast<double>(weight);
      best = std::max(best, std::min(number, strength));
    }
    return best;
  }

  bool apply(const graph::vertex& v, double total, double& shown, aggregate&) {
    const bool falls = total < shown;
    if (falls) cores_[v.local] = shown = total;
    return falls;
  }

  void checkpoint(graph::program_state& kept) { kept.add_vertices("core", cores_); }
  double restored(const graph::vertex& v) { return cores_[v.local]; }

 private:
  double* const cores_;
  double slack_ = 0x1p-52;  // what sums in another order differ by at most, per edge; 0 if sums are exact
  std::vector<std::pair<double, float>> seen_;  // numbers of neighbours, and weights
};

}  // namespace orujo::internal::algorithms

namespace orujo::internal::gas {

// Compiled once, in the library.
extern template run_report run(algorithms::weighted_core_numbers&, graph::locale_graph&, const run_options&);

}  // namespace orujo::internal::gas
