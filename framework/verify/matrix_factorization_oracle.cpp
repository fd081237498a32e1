#include "framework/verify/matrix_factorization_oracle.hpp"

#include <cmath>
#include <cstddef>
#include <cstdint>

#include "system/base/random.hpp"

namespace orujo::internal::verify {
namespace {

// Calls visit(u, v, weight) for every edge.
template <class Visit>
void for_each_edge(const simple_graph& graph, Visit visit) {
  for (std::size_t u = 0; u < graph.vertex_count(); ++u) {
    for (std::size_t k = 0; k < graph.out_degree(u); ++k) {
      const double weight = graph.out_weights(u).empty() ? 1 : static_cast<double>(graph.out_weights(u)[k]);
      visit(u, graph.out_neighbors(u)[k], weight);
    }
  }
}

}  // namespace

std::vector<double> factorization_errors(const simple_graph& graph, const factorization_problem& problem) {
  if (graph.edge_count() == 0) return {};
  const auto edges = static_cast<double>(graph.edge_count());
  const auto factors = static_cast<std::size_t>(problem.factors);
  double squares = 0;
  for_each_edge(graph, [&](std::size_t, std::size_t, double weight) { squares += weight * weight; });
  const double typical = squares > 0 ? std::sqrt(squares / edges) : 1;
  std::vector<std::vector<double>> now(graph.vertex_count(), std::vector<double>(factors));
  for (std::size_t v = 0; v < now.size(); ++v) {
    for (std::size_t k = 0; k < factors; ++k) {
      now[v][k] = 2 * std::sqrt(typical / static_cast<double>(factors)) *
                  static_cast<double>(mix64(v * factors + k + 1) >> 40) / (1 << 24);
    }
  }
  std::vector<double> errors;
  for (int i = 0; i <= problem.iterations; ++i) {
    std::vector<std::vector<double>> gradients(now.size(), std::vector<double>(factors));
    std::vector<double> in_edges(now.size());
    double sum = 0;
    for_each_edge(graph, [&](std::size_t u, std::size_t v, double weight) {
      double error = weight;
      for (std::size_t k = 0; k < factors; ++k) error -= now[u][k] * now[v][k];
      for (std::size_t k = 0; k < factors; ++k) gradients[v][k] += error * now[u][k];
      sum += error * error;
      ++in_edges[v];
    });
    errors.push_back(std::sqrt(sum / edges));
    for (std::size_t v = 0; v < now.size(); ++v) {
      for (std::size_t k = 0; k < factors && in_edges[v] > 0; ++k)
        now[v][k] += problem.step / typical * (gradients[v][k] / in_edges[v] - problem.lambda * now[v][k]);
    }
  }
  return errors;
}

}  // namespace orujo::internal::verify
