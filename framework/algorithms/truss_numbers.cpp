#include "framework/algorithms/truss_numbers.hpp"

#include <algorithm>
#include <chrono>

#include "framework/algorithms/edge_peeling.hpp"
#include "framework/graph/kept_forms.hpp"
#include "system/collectives/collectives.hpp"
#include "system/loops/forall.hpp"

namespace orujo::internal::algorithms {
namespace {

edge_triangles find_edge_triangles(graph::distributed_graph graph, bool peels) {
  const auto begin = std::chrono::steady_clock::now();
  edge_triangles found = loops::on_all_cores([=] {
    const graph::locale_graph& g = graph.here();
    detail::edge_peeling edges(g, g.vertices > std::uint64_t{1} << 32);
    edges.count();
    const std::uint64_t triangles = edges.triangles();
    peels ? edges.peel() : edges.keep_counts();
    std::uint32_t largest = 0;
    for (const auto& e : edges.values()) largest = std::max(largest, e.value);
    largest =
        collectives::all_reduce(largest, [](std::uint32_t a, std::uint32_t b) { return std::max(a, b); });
    std::uint64_t of_largest = 0;
    for (const auto& e : edges.values()) of_largest += e.value == largest ? 1 : 0;
    return edge_triangles{.edges = graph::edge_array<std::uint32_t>::of(edges.values()),
                          .triangles = triangles,
                          .largest = largest,
                          .of_largest = collectives::all_reduce(of_largest),
                          .levels = edges.levels(),
                          .rounds = edges.rounds()};
  });
  found.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return found;
}

}  // namespace

edge_triangles edge_support(graph::distributed_graph graph) {
  graph::require_forms(graph.here(), {.out_rows = true}, "edge_support:");
  return find_edge_triangles(graph, false);
}

edge_triangles truss_numbers(graph::distributed_graph graph) {
  graph::require_forms(graph.here(), {.out_rows = true}, "truss_numbers:");
  return find_edge_triangles(graph, true);
}

}  // namespace orujo::internal::algorithms
