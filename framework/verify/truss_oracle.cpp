#include "framework/verify/truss_oracle.hpp"

#include <algorithm>
#include <cstddef>
#include <span>
#include <unordered_map>

namespace orujo::internal::verify {
namespace {

// The edges that are left, by their ends, and their triangles.
class triangle_table {
 public:
  explicit triangle_table(const simple_graph& graph) : around_(graph.vertex_count()) {
    for (std::size_t v = 0; v < graph.vertex_count(); ++v) {
      for (const std::size_t u : graph.out_neighbors(v)) {
        if (u != v) around_[v].emplace(u, 0);
      }
    }
    for (std::size_t v = 0; v < around_.size(); ++v) {
      for (auto& [u, triangles] : around_[v]) {
        for_each_third(v, u, [&triangles = triangles](std::size_t) { ++triangles; });
      }
    }
  }

  std::uint32_t triangles(std::size_t a, std::size_t b) const { return around_[a].at(b); }

  // Calls f(c) for the common neighbours of two vertices.
  template <class F>
  void for_each_third(std::size_t a, std::size_t b, F f) const {
    if (around_[a].size() > around_[b].size()) std::swap(a, b);
    for (const auto& [c, triangles] : around_[a]) {
      if (around_[b].contains(c)) f(c);
    }
  }

  // Calls lost(a, b, triangles left) for the edges that lose a triangle.
  template <class Lost>
  void remove(std::size_t a, std::size_t b, Lost lost) {
    std::vector<std::size_t> thirds;
    for_each_third(a, b, [&](std::size_t c) { thirds.push_back(c); });
    around_[a].erase(b);
    around_[b].erase(a);
    for (const std::size_t c : thirds) {
      for (const std::size_t end : {a, b}) {
        --around_[c].at(end);
        lost(c, end, --around_[end].at(c));
      }
    }
  }
  bool has(std::size_t a, std::size_t b) const { return around_[a].contains(b); }

 private:
  std::vector<std::unordered_map<std::size_t, std::uint32_t>> around_;
};

}  // namespace

std::vector<plain_edge<std::uint32_t>> edge_supports(const simple_graph& graph) {
  const triangle_table table(graph);
  std::vector<plain_edge<std::uint32_t>> edges;
  for (std::size_t v = 0; v < graph.vertex_count(); ++v) {
    for (const std::size_t u : graph.out_neighbors(v)) {
      if (v < u) edges.push_back({v, u, table.triangles(v, u)});
    }
  }
  std::sort(edges.begin(), edges.end());
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  return edges;
}

std::vector<plain_edge<std::uint32_t>> truss_numbers(const simple_graph& graph) {
  triangle_table table(graph);
  std::vector<plain_edge<std::uint32_t>> edges;
  std::vector<std::vector<std::pair<std::size_t, std::size_t>>> with_triangles(1);  // at some time
  const auto note = [&](std::size_t a, std::size_t b, std::size_t triangles) {
    if (with_triangles.size() <= triangles) with_triangles.resize(triangles + 1);
    with_triangles[triangles].emplace_back(std::min(a, b), std::max(a, b));
  };
  for (const plain_edge<std::uint32_t>& e : edge_supports(graph)) note(e.source, e.target, e.value);
  for (std::size_t k = 0; k < with_triangles.size(); ++k) {
    while (!with_triangles[k].empty()) {
      const auto [a, b] = with_triangles[k].back();
      with_triangles[k].pop_back();
      if (!table.has(a, b)) continue;
      edges.push_back({a, b, static_cast<std::uint32_t>(k) + 2});
      table.remove(
          a, b, [&](std::size_t c, std::size_t end, std::size_t left) { note(c, end, std::max(left, k)); });
    }
  }
  std::sort(edges.begin(), edges.end());
  return edges;
}

}  // namespace orujo::internal::verify
