#include "framework/verify/triangles_oracle.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <set>

#include "framework/verify/compensated_sum.hpp"

namespace orujo::internal::verify {

std::vector<std::uint64_t> triangles(const simple_graph& graph) {
  std::vector<std::uint64_t> counts(graph.vertex_count());
  std::vector<std::size_t> thirds;
  for (std::size_t u = 0; u < graph.vertex_count(); ++u) {
    const auto of_u = graph.out_neighbors(u);
    for (const std::size_t v : of_u) {
      if (v <= u) continue;
      const auto of_v = graph.out_neighbors(v);
      thirds.clear();
      // Counts only vertices above both, so a triangle is found once.
      std::set_intersection(std::upper_bound(of_u.begin(), of_u.end(), v), of_u.end(),
                            std::upper_bound(of_v.begin(), of_v.end(), v), of_v.end(),
                            std::back_inserter(thirds));
      counts[u] += thirds.size();
      counts[v] += thirds.size();
      for (const std::size_t w : thirds) ++counts[w];
    }
  }
  return counts;
}

std::vector<double> clustering_coefficients(const simple_graph& graph) {
  std::vector<std::set<std::size_t>> around(graph.vertex_count());
  for (std::size_t v = 0; v < graph.vertex_count(); ++v) {
    for (const std::size_t u : graph.out_neighbors(v)) {
      if (u == v) continue;
      around[v].insert(u);
      around[u].insert(v);
    }
  }
  std::vector<double> shares(graph.vertex_count());
  for (std::size_t v = 0; v < graph.vertex_count(); ++v) {
    const std::set<std::size_t>& others = around[v];
    std::size_t joined = 0, pairs = 0;
    for (const std::size_t a : others) {
      const auto of_a = graph.out_neighbors(a);
      for (const std::size_t b : others) {
        if (a == b) continue;
        ++pairs;
        joined += std::binary_search(of_a.begin(), of_a.end(), b) ? 1 : 0;
      }
    }
    if (pairs > 0) shares[v] = static_cast<double>(joined) / static_cast<double>(pairs);
  }
  return shares;
}

std::vector<double> weighted_clustering_coefficients(const simple_graph& graph) {
  const std::size_t n = graph.vertex_count();
  std::vector<std::map<std::size_t, double>> weights(n);  // of the edges to neighbours
  double largest = 0;
  for (std::size_t v = 0; v < n; ++v) {
    const auto targets = graph.out_neighbors(v);
    const auto given = graph.out_weights(v);
    for (std::size_t k = 0; k < targets.size(); ++k) {
      const double weight = given.empty() ? 1 : static_cast<double>(given[k]);
      largest = std::max(largest, weight);
      if (targets[k] != v) weights[v][targets[k]] = weight;
    }
  }
  std::vector<double> coefficients(n);
  for (std::size_t v = 0; v < n && largest > 0; ++v) {
    compensated_sum means;
    double pairs = 0;
    for (const auto& [a, to_a] : weights[v]) {
      for (const auto& [b, to_b] : weights[v]) {
        if (a >= b) continue;
        ++pairs;
        const auto across = weights[a].find(b);
        if (across == weights[a].end()) continue;
        means.add(std::cbrt((to_a / largest) * (to_b / largest) * (across->second / largest)));
      }
    }
    if (pairs > 0) coefficients[v] = means.value() / pairs;
  }
  return coefficients;
}

}  // namespace orujo::internal::verify
