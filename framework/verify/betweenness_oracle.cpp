#include "framework/verify/betweenness_oracle.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <utility>

#include "framework/verify/breadth_first_search_oracle.hpp"

namespace orujo::verify {
namespace {

// fraction * 2^exponent; fraction 0 or from 1/2 to below 1.
struct number {
  long double fraction = 0;
  std::int64_t exponent = 0;
};

number number_of(long double fraction, std::int64_t exponent = 0) {
  int more = 0;
  fraction = std::frexp(fraction, &more);
  return {fraction, exponent + more};
}

number operator+(number a, number b) {
  if (a.fraction == 0) return b;
  if (b.fraction == 0) return a;
  if (a.exponent < b.exponent) std::swap(a, b);
  const std::int64_t apart = a.exponent - b.exponent;
  if (apart > 2 * std::numeric_limits<long double>::digits) return a;
  return number_of(a.fraction + std::ldexp(b.fraction, -static_cast<int>(apart)), a.exponent);
}
number operator*(const number& a, const number& b) {
  return number_of(a.fraction * b.fraction, a.exponent + b.exponent);
}
number operator/(const number& a, const number& b) {
  return number_of(a.fraction / b.fraction, a.exponent - b.exponent);
}
double nearest(const number& a) {
  constexpr std::int64_t beyond = 2 * std::numeric_limits<double>::max_exponent;
  return static_cast<double>(
      std::ldexp(a.fraction, static_cast<int>(std::clamp(a.exponent, -beyond, beyond))));
}

// In each level a number of paths is a sum of as many terms as a vertex has in-edges. A vertex hands back the
// reciprocal of such a number, added to what was handed to it. A dependency is the product of both. Each
// addition, product and reciprocal adds 2^-53. All terms are positive, so errors do not grow.
double bound(std::size_t levels, std::size_t largest_degree, std::size_t sources) {
  const auto terms = static_cast<double>(largest_degree + 8);
  return std::ldexp(3 * static_cast<double>(levels) * terms + static_cast<double>(sources), -53);
}

std::size_t find_largest_degree(const simple_graph& graph) {
  std::vector<std::size_t> in_degrees(graph.vertex_count());
  std::size_t most = 0;
  for (std::size_t v = 0; v < graph.vertex_count(); ++v) {
    most = std::max(most, graph.out_degree(v));
    for (const std::size_t w : graph.out_neighbors(v)) most = std::max(most, ++in_degrees[w]);
  }
  return most;
}

// Calls visit_edge(v, k, dependency) for the k-th out-edge of v, and visit_vertex(v, dependency) for each v
// but the source. Returns how many levels there are.
template <class VisitEdge, class VisitVertex>
std::size_t find_dependencies(const simple_graph& graph, std::size_t source, VisitEdge visit_edge,
                              VisitVertex visit_vertex) {
  const std::size_t n = graph.vertex_count();
  const std::vector<std::int64_t> levels = search_levels(graph, source);
  std::vector<std::vector<std::size_t>> by_level;
  for (std::size_t v = 0; v < n; ++v) {
    if (levels[v] == unreached) continue;
    const auto level = static_cast<std::size_t>(levels[v]);
    if (by_level.size() <= level) by_level.resize(level + 1);
    by_level[level].push_back(v);
  }
  std::vector<number> paths(n), dependencies(n);
  paths[source] = number_of(1);
  for (const auto& level : by_level) {
    for (const std::size_t v : level) {
      for (const std::size_t w : graph.out_neighbors(v))
        if (levels[w] == levels[v] + 1) paths[w] = paths[w] + paths[v];
    }
  }
  for (std::size_t l = by_level.size(); l-- > 0;) {
    for (const std::size_t v : by_level[l]) {
      const auto targets = graph.out_neighbors(v);
      for (std::size_t k = 0; k < targets.size(); ++k) {
        const std::size_t w = targets[k];
        if (levels[w] != levels[v] + 1) continue;
        const number along = paths[v] / paths[w] * (number_of(1) + dependencies[w]);
        visit_edge(v, k, nearest(along));
        dependencies[v] = dependencies[v] + along;
      }
      if (v != source) visit_vertex(v, nearest(dependencies[v]));
    }
  }
  return by_level.size();
}

}  // namespace

expected_scores betweenness(const simple_graph& graph, std::span<const std::size_t> sources) {
  expected_scores expected{std::vector<double>(graph.vertex_count())};
  std::size_t deepest = 0;
  for (const std::size_t source : sources) {
    const std::size_t levels = find_dependencies(
        graph, source, [](std::size_t, std::size_t, double) {},
        [&](std::size_t v, double dependency) { expected.scores[v] += dependency; });
    deepest = std::max(deepest, levels);
  }
  expected.relative_error = bound(deepest, find_largest_degree(graph), sources.size());
  return expected;
}

expected_edge_scores edge_betweenness(const simple_graph& graph, std::span<const std::size_t> sources,
                                      bool undirected) {
  std::vector<std::vector<double>> scores(graph.vertex_count());
  for (std::size_t v = 0; v < scores.size(); ++v) scores[v].resize(graph.out_degree(v));
  std::size_t deepest = 0;
  for (const std::size_t source : sources) {
    const std::size_t levels = find_dependencies(
        graph, source, [&](std::size_t v, std::size_t k, double along) { scores[v][k] += along; },
        [](std::size_t, double) {});
    deepest = std::max(deepest, levels);
  }
  std::map<std::pair<std::size_t, std::size_t>, double> sums;
  for (std::size_t v = 0; v < scores.size(); ++v) {
    for (std::size_t k = 0; k < scores[v].size(); ++k) {
      std::pair<std::size_t, std::size_t> ends{v, graph.out_neighbors(v)[k]};
      if (undirected && ends.second < ends.first) std::swap(ends.first, ends.second);
      sums[ends] += scores[v][k];
    }
  }
  expected_edge_scores expected{{}, bound(deepest, find_largest_degree(graph), sources.size())};
  for (const auto& [ends, score] : sums) expected.edges.push_back({ends.first, ends.second, score});
  return expected;
}

}  // namespace orujo::verify
