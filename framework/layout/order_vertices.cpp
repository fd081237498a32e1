#include "framework/layout/order_vertices.hpp"

#include <glog/logging.h>

#include <algorithm>
#include <chrono>
#include <string>
#include <utility>

#include "framework/graph/build/degree_order.hpp"
#include "system/collectives/collectives.hpp"

namespace orujo::internal::layout {
namespace {

// Every locale's table, from the order that make() finds at each.
template <class Make>
graph::numbering numbering_by(Make make) {
  return graph::numbering::of_table(collectives::share_on_locale<const graph::number_table>(
      [&] { return graph::make_number_table(make(), "layout").value(); }));
}

// The order that one core of locale 0 has found, at every locale.
graph::index_array spread(const vertex_sequence& sequence, std::uint64_t vertices) {
  graph::index_array positions(vertices, vertices);
  for (std::uint64_t k = 0; k < sequence.size(); ++k) positions.set(k, sequence[k]);
  if (locales() > 1) collectives::broadcast(positions.bytes(), 0, collectives::group::leaders);
  return positions;
}

result<graph::numbering> number_by_neighbours(const graph::input_edges& input, std::uint64_t vertices,
                                              const machine::huge_array<std::uint32_t>& degrees,
                                              const order_request& request) {
  const order_memory needs = request.kind == order_kind::community ? community_order_memory : order_memory{};
  auto gathered = gather_undirected(input, vertices, degrees, needs);
  if (!gathered.ok()) return gathered.status();
  return numbering_by([&] {
    const vertex_sequence sequence =
        my_core() == 0 ? sequence_of(*gathered.value(), request) : vertex_sequence();
    return spread(sequence, vertices);
  });
}

result<graph::numbering> find_numbering(const graph::input_edges& input, std::uint64_t vertices,
                                        const order_request& request) {
  using enum order_kind;
  if (request.kind == none) return graph::numbering();
  if (request.kind == random) return graph::numbering::scattered(vertices, request.seed);
  const graph::shared_degrees degrees = count_degrees(input, vertices);
  if (request.kind == hub_cluster)
    return numbering_by([&] { return hub_cluster_order(degrees->part(0, degrees->size())); });
  return number_by_neighbours(input, vertices, *degrees, request);
}

}  // namespace

std::optional<order_kind> find_order(std::string_view name) {
  const auto found = std::find(order_names.begin(), order_names.end(), name);
  if (found == order_names.end()) return {};
  return static_cast<order_kind>(found - order_names.begin());
}

std::string_view name_of(order_kind kind) { return order_names[static_cast<std::size_t>(kind)]; }

vertex_sequence sequence_of(const undirected_graph& g, const order_request& request) {
  switch (request.kind) {
    case order_kind::bfs:
      return breadth_first_order(g);
    case order_kind::dfs:
      return depth_first_order(g);
    case order_kind::community:
      return community_order(g);
    default:
      CHECK(request.kind == order_kind::hierarchical) << name_of(request.kind);
      return hierarchical_order(g, request.levels, request.vertex_bytes);
  }
}

result<graph::vertex_order> order_vertices(const graph::input_edges& input, std::uint64_t vertices,
                                           const order_request& request) {
  const auto start = std::chrono::steady_clock::now();
  auto numbers = find_numbering(input, vertices, request);
  if (!numbers.ok()) return numbers.status();
  graph::order_report report;
  report.name = name_of(request.kind);
  report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (request.kind != order_kind::none) {
    report.log2_gap_before = graph::sampled_log2_gap(input);
    report.log2_gap = graph::sampled_log2_gap(input, numbers.value());
  }
  return graph::vertex_order{std::move(numbers).value(), report};
}

}  // namespace orujo::internal::layout
