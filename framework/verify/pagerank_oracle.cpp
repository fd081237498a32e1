#include "framework/verify/pagerank_oracle.hpp"

#include <cmath>
#include <cstddef>
#include <utility>

namespace orujo::verify {
namespace {

constexpr unsigned most_iterations = 1000;

std::vector<double> next_ranks(const simple_graph& graph, const std::vector<double>& ranks,
                               const pagerank_options& options) {
  const std::size_t n = graph.vertex_count();
  std::vector<double> received(n, 0.0);
  double dangling = 0;
  for (std::size_t u = 0; u < n; ++u) {
    if (graph.out_degree(u) == 0) dangling += ranks[u];
    const double share =
        ranks[u] / static_cast<double>(graph.out_degree(u));  // not used where the degree is 0
    for (const std::size_t v : graph.out_neighbors(u)) received[v] += share;
  }
  if (options.dangling == dangling_policy::ignore) dangling = 0;
  const auto vertices = static_cast<double>(n);
  for (double& rank : received) {
    rank = (1 - options.damping) / vertices + options.damping * (rank + dangling / vertices);
  }
  return received;
}

double l1_distance(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t v = 0; v < a.size(); ++v) sum += std::abs(a[v] - b[v]);
  return sum;
}

}  // namespace

pagerank_ranks pagerank(const simple_graph& graph, const pagerank_options& options) {
  const std::size_t n = graph.vertex_count();
  pagerank_ranks now{std::vector<double>(n, 1.0 / static_cast<double>(n)), 0};
  const unsigned last = options.iterations.value_or(most_iterations);
  for (bool settled = false; now.iterations < last && !settled; ++now.iterations) {
    std::vector<double> next = next_ranks(graph, now.ranks, options);
    settled = !options.iterations && l1_distance(now.ranks, next) < options.tolerance;
    now.ranks = std::move(next);
  }
  return now;
}

}  // namespace orujo::verify
