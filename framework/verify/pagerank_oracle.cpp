#include "framework/verify/pagerank_oracle.hpp"

#include <cmath>
#include <cstddef>
#include <span>

#include "framework/verify/compensated_sum.hpp"

namespace orujo::internal::verify {
namespace {

constexpr unsigned most_iterations = 1000;

// A vertex gets this from its in-neighbours.
struct handed {
  compensated_sum rank;
  double sensitivity = 0;
  double error = 0;  // by changes
};

double sum_of(std::span<const float> weights) {
  compensated_sum sum;
  for (const float weight : weights) sum.add(weight);
  return sum.value();
}

// One iteration of all. unknown: by vertex, how far what others know of its rank is off at most. Returns by
// how much the ranks have changed in all.
double iterate(const simple_graph& graph, const pagerank_options& options, pagerank_ranks& now,
               std::vector<double>& unknown) {
  const std::size_t n = graph.vertex_count();
  std::vector<handed> to(n);
  handed everywhere;  // from vertices without out-edges
  for (std::size_t u = 0; u < n; ++u) {
    const auto weights = options.weighted ? graph.out_weights(u) : std::span<const float>();
    const double all = weights.empty() ? static_cast<double>(graph.out_degree(u)) : sum_of(weights);
    if (all == 0) {
      everywhere.rank.add(now.ranks[u]);
      everywhere.sensitivity += now.sensitivity[u];
      everywhere.error += now.error_by_changes[u];
      continue;
    }
    const auto targets = graph.out_neighbors(u);
    for (std::size_t k = 0; k < targets.size(); ++k) {
      const double weight = weights.empty() ? 1 : static_cast<double>(weights[k]);
      to[targets[k]].rank.add(now.ranks[u] * weight / all);
      to[targets[k]].sensitivity += now.sensitivity[u] * weight / all;
      to[targets[k]].error += (now.error_by_changes[u] + unknown[u]) * weight / all;
    }
  }
  if (options.dangling == dangling_policy::ignore) everywhere = {};
  const auto vertices = static_cast<double>(n);
  double change = 0;
  for (std::size_t v = 0; v < n; ++v) {
    const double rank = (1 - options.damping) / vertices +
                        options.damping * (to[v].rank.value() + everywhere.rank.value() / vertices);
    const double changed = std::abs(rank - now.ranks[v]);
    change += changed;
    const double error = options.damping * (to[v].error + everywhere.error / vertices);
    // The ranks before and after are off themselves.
    unknown[v] = options.error_of_changes * (changed + error + now.error_by_changes[v] + unknown[v]);
    now.ranks[v] = rank;
    now.sensitivity[v] = rank + options.damping * (to[v].sensitivity + everywhere.sensitivity / vertices);
    now.error_by_changes[v] = error;
  }
  return change;
}

}  // namespace

pagerank_ranks pagerank(const simple_graph& graph, const pagerank_options& options) {
  const std::size_t n = graph.vertex_count();
  const std::vector<double> equal(n, 1.0 / static_cast<double>(n));
  pagerank_ranks now{equal, equal, std::vector<double>(n), 0};
  std::vector<double> unknown(n);
  const unsigned last = options.iterations.value_or(most_iterations);
  for (bool settled = false; now.iterations < last && !settled; ++now.iterations) {
    const double change = iterate(graph, options, now, unknown);
    settled = !options.iterations && change < options.tolerance;
  }
  return now;
}

}  // namespace orujo::internal::verify
