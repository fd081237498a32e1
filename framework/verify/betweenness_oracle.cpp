#include "framework/verify/betweenness_oracle.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <utility>

#include "framework/verify/breadth_first_search_oracle.hpp"
#include "framework/verify/shortest_paths_oracle.hpp"

namespace orujo::internal::verify {
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

// At each edge of a path a number of paths is a sum of as many terms as a vertex has in-edges. A vertex hands
// back the reciprocal of such a number, added to what was handed to it. A dependency is the product of both.
// Each addition, product and reciprocal adds 2^-53. All terms are positive, so errors do not grow.
double bound(std::size_t longest, std::size_t largest_degree, std::size_t sources) {
  const auto terms = static_cast<double>(largest_degree + 8);
  return std::ldexp(3 * static_cast<double>(longest) * terms + static_cast<double>(sources), -53);
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

// The reached vertices, each after those on its shortest paths, and the lengths of these: numbers of edges,
// or sums of weights in double precision from the source on.
struct ordered_vertices {
  std::vector<std::size_t> order;
  std::vector<double> lengths;  // by vertex
};

ordered_vertices find_order(const simple_graph& graph, std::size_t source, path_lengths by) {
  ordered_vertices found;
  if (by == path_lengths::weights) {
    found.lengths = shortest_paths<double>(graph, source);
  } else {
    for (const std::int64_t level : search_levels(graph, source))
      found.lengths.push_back(level == unreached ? std::numeric_limits<double>::infinity()
                                                 : static_cast<double>(level));
  }
  for (std::size_t v = 0; v < graph.vertex_count(); ++v) {
    if (found.lengths[v] < std::numeric_limits<double>::infinity()) found.order.push_back(v);
  }
  std::ranges::stable_sort(found.order,
                           [&](std::size_t a, std::size_t b) { return found.lengths[a] < found.lengths[b]; });
  return found;
}

// Calls visit_edge(v, k, dependency) for the k-th out-edge of v, and visit_vertex(v, dependency) for each v
// but the source. Returns the most vertices on a shortest path.
template <class VisitEdge, class VisitVertex>
std::size_t find_dependencies(const simple_graph& graph, std::size_t source, path_lengths by,
                              VisitEdge visit_edge, VisitVertex visit_vertex) {
  const std::size_t n = graph.vertex_count();
  const ordered_vertices found = find_order(graph, source, by);
  const std::vector<double>& lengths = found.lengths;
  const auto is_last_edge = [&](std::size_t v, std::size_t k) {
    const bool weighs = by == path_lengths::weights && !graph.out_weights(v).empty();
    const double weight = weighs ? static_cast<double>(graph.out_weights(v)[k]) : 1;
    return lengths[v] + weight == lengths[graph.out_neighbors(v)[k]];
  };
  std::vector<number> paths(n), dependencies(n);
  std::vector<std::size_t> vertices(n, 1);  // on a path
  std::size_t most = 0;
  paths[source] = number_of(1);
  for (const std::size_t v : found.order) {
    most = std::max(most, vertices[v]);
    const auto targets = graph.out_neighbors(v);
    for (std::size_t k = 0; k < targets.size(); ++k) {
      if (!is_last_edge(v, k)) continue;
      paths[targets[k]] = paths[targets[k]] + paths[v];
      vertices[targets[k]] = std::max(vertices[targets[k]], vertices[v] + 1);
    }
  }
  for (std::size_t at = found.order.size(); at-- > 0;) {
    const std::size_t v = found.order[at];
    const auto targets = graph.out_neighbors(v);
    for (std::size_t k = 0; k < targets.size(); ++k) {
      if (!is_last_edge(v, k)) continue;
      const number along = paths[v] / paths[targets[k]] * (number_of(1) + dependencies[targets[k]]);
      visit_edge(v, k, nearest(along));
      dependencies[v] = dependencies[v] + along;
    }
    if (v != source) visit_vertex(v, nearest(dependencies[v]));
  }
  return most;
}

}  // namespace

expected_scores betweenness(const simple_graph& graph, std::span<const std::size_t> sources,
                            path_lengths by) {
  expected_scores expected{std::vector<double>(graph.vertex_count())};
  std::size_t longest = 0;
  for (const std::size_t source : sources) {
    const std::size_t vertices = find_dependencies(
        graph, source, by, [](std::size_t, std::size_t, double) {},
        [&](std::size_t v, double dependency) { expected.scores[v] += dependency; });
    longest = std::max(longest, vertices);
  }
  expected.relative_error = bound(longest, find_largest_degree(graph), sources.size());
  return expected;
}

expected_edge_scores edge_betweenness(const simple_graph& graph, std::span<const std::size_t> sources,
                                      bool undirected, path_lengths by) {
  std::vector<std::vector<double>> scores(graph.vertex_count());
  for (std::size_t v = 0; v < scores.size(); ++v) scores[v].resize(graph.out_degree(v));
  std::size_t longest = 0;
  for (const std::size_t source : sources) {
    const std::size_t vertices = find_dependencies(
        graph, source, by, [&](std::size_t v, std::size_t k, double along) { scores[v][k] += along; },
        [](std::size_t, double) {});
    longest = std::max(longest, vertices);
  }
  std::map<std::pair<std::size_t, std::size_t>, double> sums;
  for (std::size_t v = 0; v < scores.size(); ++v) {
    for (std::size_t k = 0; k < scores[v].size(); ++k) {
      std::pair<std::size_t, std::size_t> ends{v, graph.out_neighbors(v)[k]};
      if (undirected && ends.second < ends.first) std::swap(ends.first, ends.second);
      sums[ends] += scores[v][k];
    }
  }
  expected_edge_scores expected{{}, bound(longest, find_largest_degree(graph), sources.size())};
  for (const auto& [ends, score] : sums) expected.edges.push_back({ends.first, ends.second, score});
  return expected;
}

}  // namespace orujo::internal::verify
