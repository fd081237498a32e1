#include "framework/verify/rank_bounds.hpp"

#include <cstddef>

namespace orujo::internal::verify {
namespace {

// Beside the sum of contributions: quotient and degree, damping and its product, the constant part.
constexpr double other_roundings = 5;
// Roundings of the oracle in double precision: the same operations, and a compensated sum.
constexpr double oracle_roundings = 8;

// Additions in double precision that what a vertex adds to a sum over all goes through: in its block, over
// the blocks of a core, over the cores.
double additions_over_vertices(double vertices) { return 4096 + vertices / 4096 + 1024; }

std::vector<double> scaled(const std::vector<double>& numbers, double factor) {
  std::vector<double> all(numbers);
  for (double& each : all) each *= factor;
  return all;
}

}  // namespace

double error_of_iteration(const rank_arithmetic& how, double vertices) {
  return (how.sum_roundings + other_roundings) * how.unit +
         (additions_over_vertices(vertices) + oracle_roundings) * double_unit;
}

double error_of_scores(double sum_roundings, int iterations, double vertices) {
  // Two sums of scaled scores an iteration, whose error is in the norms, too.
  const double of_sums = (2.0 * iterations + 1) * (sum_roundings + 2 + oracle_roundings);
  return (2 * of_sums + additions_over_vertices(vertices) + oracle_roundings) * double_unit;
}

std::vector<double> rank_bounds(const pagerank_ranks& exact, const rank_arithmetic& how) {
  std::vector<double> bounds =
      scaled(exact.sensitivity, error_of_iteration(how, static_cast<double>(exact.ranks.size())));
  for (std::size_t v = 0; v < exact.error_by_changes.size(); ++v) bounds[v] += exact.error_by_changes[v];
  return bounds;
}

std::vector<double> rank_bounds_by_changes(const pagerank_ranks& exact, const rank_arithmetic& how,
                                           double tolerance, int supersteps) {
  const auto vertices = static_cast<double>(exact.ranks.size());
  const double told = (1 + how.damping) / (1 - how.damping);  // by a vertex in all, in units of its rank
  const double error =
      error_of_iteration(how, vertices) * told + supersteps * how.unit * tolerance + tolerance;
  std::vector<double> bounds = scaled(exact.sensitivity, error);
  const double kept = supersteps * how.unit + vertices * double_unit;  // in a rank that changes are added to
  // Ranks are scaled to sum to 1, and their sum is off by as much.
  for (std::size_t v = 0; v < bounds.size(); ++v) bounds[v] = 2 * (bounds[v] + kept * exact.ranks[v]);
  return bounds;
}

}  // namespace orujo::internal::verify
