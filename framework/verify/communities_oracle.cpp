#include "framework/verify/communities_oracle.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <unordered_map>

#include <fmt/format.h>

namespace orujo::internal::verify {
namespace {

// A graph as a matrix, row by row.
struct matrix {
  std::vector<std::vector<std::pair<std::size_t, double>>> rows;
  std::vector<double> sizes;  // what a vertex counts in the expectation
  double total = 0;
};

matrix matrix_of(const simple_graph& graph, const community_rule& rule) {
  matrix made;
  for (std::size_t v = 0; v < graph.vertex_count(); ++v) {
    double row = 0;
    auto& entries = made.rows.emplace_back();
    for (std::size_t k = 0; k < graph.out_degree(v); ++k) {
      const std::size_t u = graph.out_neighbors(v)[k];
      double weight = graph.out_weights(v).empty() ? 1 : graph.out_weights(v)[k];
      if (u == v) weight *= 2;
      entries.emplace_back(u, weight);
      row += weight;
    }
    made.total += row;
    made.sizes.push_back(rule.potts ? 1 : row);
  }
  return made;
}

// The factor of a product of sizes.
double expectation(const matrix& m, const community_rule& rule) {
  return rule.potts ? rule.resolution : rule.resolution / m.total;
}

// Moves vertices one by one, until none moves. Labels are below the number of vertices.
std::vector<std::size_t> move_all(const matrix& m, double expected) {
  std::vector<std::size_t> labels(m.rows.size());
  std::iota(labels.begin(), labels.end(), std::size_t{0});
  std::vector<double> sizes = m.sizes;
  bool moved = true;
  for (int sweep = 0; moved && sweep < 100; ++sweep) {
    moved = false;
    for (std::size_t v = 0; v < labels.size(); ++v) {
      std::map<std::size_t, double> near = {{labels[v], 0}};
      for (const auto& [u, weight] : m.rows[v]) {
        if (u != v) near[labels[u]] += weight;
      }
      sizes[labels[v]] -= m.sizes[v];
      std::size_t best = labels[v];
      const auto gain = [&](std::size_t c) { return near[c] - expected * m.sizes[v] * sizes[c]; };
      double most = gain(best) + 1e-12 * m.total;
      for (const auto& [c, weight] : near) {
        if (gain(c) > most) best = c, most = gain(c);
      }
      moved = moved || best != labels[v];
      labels[v] = best;
      sizes[best] += m.sizes[v];
    }
  }
  return labels;
}

}  // namespace

double partition_quality(const simple_graph& graph, std::span<const std::uint64_t> labels,
                         const community_rule& rule) {
  const matrix m = matrix_of(graph, rule);
  if (m.total == 0) return 0;
  double inner = 0;
  std::unordered_map<std::uint64_t, double> sizes;
  for (std::size_t v = 0; v < m.rows.size(); ++v) {
    sizes[labels[v]] += m.sizes[v];
    for (const auto& [u, weight] : m.rows[v]) inner += labels[u] == labels[v] ? weight : 0;
  }
  double squares = 0;
  for (const auto& [label, size] : sizes) squares += size * size;
  return (inner - expectation(m, rule) * squares) / m.total;
}

std::size_t split_communities(const simple_graph& graph, std::span<const std::uint64_t> labels) {
  std::unordered_map<std::uint64_t, std::size_t> pieces;
  std::vector<bool> seen(graph.vertex_count());
  for (std::size_t start = 0; start < seen.size(); ++start) {
    if (seen[start]) continue;
    ++pieces[labels[start]];
    seen[start] = true;
    for (std::vector<std::size_t> open = {start}; !open.empty();) {
      const std::size_t v = open.back();
      open.pop_back();
      for (const std::size_t u : graph.out_neighbors(v)) {
        if (seen[u] || labels[u] != labels[v]) continue;
        seen[u] = true;
        open.push_back(u);
      }
    }
  }
  return static_cast<std::size_t>(
      std::ranges::count_if(pieces, [](const auto& of_label) { return of_label.second > 1; }));
}

std::vector<std::uint64_t> louvain(const simple_graph& graph, const community_rule& rule) {
  matrix m = matrix_of(graph, rule);
  const double expected = m.total > 0 ? expectation(m, rule) : 0;
  std::vector<std::size_t> found(m.rows.size());
  std::iota(found.begin(), found.end(), std::size_t{0});
  for (;;) {
    const std::vector<std::size_t> labels = move_all(m, expected);
    std::vector<std::size_t> numbers(labels.size(), labels.size());
    std::size_t count = 0;
    for (const std::size_t label : labels) {
      if (numbers[label] == labels.size()) numbers[label] = count++;
    }
    for (std::size_t& v : found) v = numbers[labels[v]];
    if (count == labels.size()) break;
    std::vector<std::map<std::size_t, double>> rows(count);
    matrix coarse{{}, std::vector<double>(count), m.total};
    for (std::size_t v = 0; v < labels.size(); ++v) {
      const std::size_t c = numbers[labels[v]];
      coarse.sizes[c] += m.sizes[v];
      for (const auto& [u, weight] : m.rows[v]) rows[c][numbers[labels[u]]] += weight;
    }
    for (const auto& row : rows) coarse.rows.emplace_back(row.begin(), row.end());
    m = std::move(coarse);
  }
  return {found.begin(), found.end()};
}

community_check::community_check(const simple_graph& graph, std::span<const std::uint64_t> ids,
                                 std::span<const std::uint64_t> labels, const community_rule& rule,
                                 double quality, bool connected) {
  if (!std::ranges::equal(ids, graph.ids())) {
    fault_ = "communities are not those of the graph's vertices";
    return;
  }
  const double exact = partition_quality(graph, labels, rule);
  what_ = fmt::format("communities of {} vertices: quality {:.6f}", ids.size(), exact);
  if (!(std::abs(exact - quality) <= 1e-6)) {
    fault_ = fmt::format("the quality is {:.9f}, but {:.9f} was reported", exact, quality);
    return;
  }
  if (connected) {
    if (const std::size_t split = split_communities(graph, labels); split > 0) {
      fault_ = fmt::format("{} communities are not connected", split);
      return;
    }
    what_ += ", connected";
  }
  if (graph.edge_count() > most_compared) return;
  const double serial = partition_quality(graph, louvain(graph, rule), rule);
  what_ += fmt::format("; a serial Louvain reaches {:.6f}", serial);
  if (exact < serial - most_below)
    fault_ = fmt::format("the quality is {:.6f}, but a serial Louvain reaches {:.6f}", exact, serial);
}

}  // namespace orujo::internal::verify
