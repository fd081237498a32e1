// Bounds of the rounding errors of computed ranks: the error analysis of docs/design/rounding.md as numbers.
// Bounds are of first order: products of errors are left out.
#pragma once

#include <vector>

#include "framework/verify/pagerank_oracle.hpp"

namespace orujo::internal::verify {

// Unit roundoff: the relative error of an operation.
inline constexpr double single_unit = 0x1p-24, double_unit = 0x1p-53;
// The relative error of what a change in 16 bits leaves out (exchange/rounded_changes.hpp): of one that is
// rounded once or, where totals of guests are rounded, too, twice.
inline constexpr double rounded_once = 0x1p-8, rounded_twice = 2 * rounded_once + rounded_once * rounded_once;

// How a run computes.
struct rank_arithmetic {
  double unit;           // of ranks, and of what vertices show
  double sum_roundings;  // a sum of contributions is off by at most so many units of the sum of magnitudes
  double damping;
};

// The relative error that an iteration of PageRank, personalized or not, makes in each rank, the oracle's
// included. vertices: of the graph. The rank of those without out-edges is summed over all of them.
double error_of_iteration(const rank_arithmetic& how, double vertices);

// The relative error of hubs and authorities in double precision, the oracle's among it.
double error_of_scores(double sum_roundings, int iterations, double vertices);

// By vertex, after the oracle's iterations: the largest absolute difference.
std::vector<double> rank_bounds(const pagerank_ranks& exact, const rank_arithmetic& how);

// The same bound for ranks by changes, after `supersteps`. Up to `tolerance` of each rank may never have been
// reported.
std::vector<double> rank_bounds_by_changes(const pagerank_ranks& exact, const rank_arithmetic& how,
                                           double tolerance, int supersteps);

}  // namespace orujo::internal::verify
