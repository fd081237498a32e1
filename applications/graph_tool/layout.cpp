// graph_tool layout: the cost of orders of the vertices, and the distance of neighbours in them.
#include "applications/graph_tool/layout.hpp"

#include <fmt/format.h>

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "applications/harness/harness.hpp"
#include "framework/graph/build/degree_order.hpp"
#include "framework/graph/build/request.hpp"
#include "framework/graph/build/vertex_ids.hpp"
#include "framework/layout/flags.hpp"
#include "framework/layout/locality.hpp"
#include "framework/layout/undirected_graph.hpp"
#include "system/loops/forall.hpp"

namespace orujo::internal::graph_tool {
namespace {

using orujo::internal::layout::order_kind;
using orujo::internal::layout::order_request;

struct measured_order {
  order_kind kind;
  double seconds;
  orujo::internal::layout::locality found;
};

struct measurements {
  std::uint64_t vertices = 0, edges = 0;  // each edge once
  std::vector<measured_order> orders;
  graph::degree_traits traits;
};

graph::numbering numbering_of(const orujo::internal::layout::undirected_graph& g,
                              const machine::huge_array<std::uint32_t>& degrees,
                              const order_request& request) {
  using namespace orujo::internal::layout;
  if (request.kind == order_kind::none) return {};
  if (request.kind == order_kind::random) return graph::numbering::scattered(g.vertices(), request.seed);
  const std::span<const std::uint32_t> by_position = degrees.part(0, degrees.size());
  if (request.kind == order_kind::degree) return graph::numbering::of_table(graph::degree_order(by_position));
  graph::index_array positions;
  if (request.kind == order_kind::hub_cluster) {
    positions = hub_cluster_order(by_position);
  } else {
    positions = graph::index_array(g.vertices(), g.vertices());
    const vertex_sequence sequence = sequence_of(g, request);
    for (std::uint64_t k = 0; k < sequence.size(); ++k) positions.set(k, sequence[k]);
  }
  return graph::numbering::of_table(graph::make_number_table(std::move(positions), "layout").value());
}

measured_order measure(const orujo::internal::layout::undirected_graph& g,
                       const machine::huge_array<std::uint32_t>& degrees, const order_request& request) {
  const auto start = std::chrono::steady_clock::now();
  const graph::numbering numbers = numbering_of(g, degrees, request);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return {request.kind, seconds,
          orujo::internal::layout::measure_locality(
              g, [&](std::uint64_t v) { return numbers.number(v); },
              [&](std::uint64_t k) { return numbers.position(k); }, request.levels, request.vertex_bytes)};
}

// [task; suspends; collective over the job] Core 0 measures the layouts.
result<measurements> measure_all() {
  graph::load_request source = graph::load_request_from_flags().value();
  result<graph::input_edges> input = graph::read_input(source.source);
  if (!input.ok()) return input.status();
  const auto ids = graph::vertex_ids::of_input(input.value());
  graph::number_edges(input.value(), *ids);  // by position
  const graph::shared_degrees degrees = orujo::internal::layout::count_degrees(input.value(), ids->count());
  const graph::degree_traits traits{ids->count(), graph::sampled_log2_gap(input.value()),
                                    graph::hubs_of(degrees->part(0, degrees->size()))};
  order_request request = orujo::internal::layout::request_from_flags();
  const order_kind asked = request.kind;
  const bool all = asked == order_kind::automatic;
  const bool with_communities = all || asked == order_kind::community;
  const auto gathered = orujo::internal::layout::gather_undirected(
      input.value(), ids->count(), *degrees,
      with_communities ? orujo::internal::layout::community_order_memory
                       : orujo::internal::layout::order_memory{});
  if (!gathered.ok()) return gathered.status();
  measurements found;
  if (my_core() != 0) return found;
  const orujo::internal::layout::undirected_graph& g = *gathered.value();
  found.vertices = g.vertices();
  found.edges = g.edges();
  found.traits = traits;
  for (std::size_t k = 0; k + 1 < orujo::internal::layout::order_names.size(); ++k) {
    request.kind = static_cast<order_kind>(k);
    if (request.kind == order_kind::none || all || request.kind == asked)
      found.orders.push_back(measure(g, *degrees, request));
  }
  return found;
}

void print(const measurements& of, const order_request& request, harness::stats& stats) {
  harness::print("{}, {}, each once; a vertex has {}\n", harness::counted(of.vertices, "vertex", "vertices"),
                 harness::counted(of.edges, "edge"), harness::counted(request.vertex_bytes, "byte"));
  harness::print("{:.1f} % of the edges' ends are at vertices of more than four times the average degree\n\n",
                 100 * of.traits.hubs.share);
  harness::print(
      "mean log2 of the distance of neighbours; blocks touched per edge, where a window of {} vertices "
      "reads all its neighbours\n",
      orujo::internal::layout::window_vertices);
  harness::print("  {:<14}{:>10}{:>10}", "layout", "seconds", "log2");
  for (const std::size_t bytes : request.levels) harness::print("{:>12}", fmt::format("of {}", bytes));
  harness::print("\n");
  for (const measured_order& o : of.orders) {
    harness::print("  {:<14}{:>10.3f}{:>10.2f}", name_of(o.kind), o.seconds, o.found.log2_gap);
    for (const double touched : o.found.touched) harness::print("{:>12.4f}", touched);
    harness::print("\n");
    stats.trials.push_back({{"seconds", o.seconds},
                            {"layout", name_of(o.kind)},
                            {"log2_gap", o.found.log2_gap},
                            {"blocks_per_edge", o.found.touched}});
  }
  const order_kind chosen = degree_order_pays(of.traits) ? order_kind::degree : order_kind::none;
  harness::print("\n--layout=auto chooses {}\n", name_of(chosen));
  stats.further["auto"] = name_of(chosen);
  stats.further["hub_share"] = of.traits.hubs.share;
}

}  // namespace

status layout() {
  const auto source = graph::load_request_from_flags();
  if (!source.ok()) return source.status();
  auto file = harness::open_stats();
  if (!file.ok()) return file.status();
  const result<measurements> measured = loops::on_all_cores([] { return measure_all(); });
  if (!measured.ok()) return measured.status();
  const measurements& found = measured.value();
  harness::stats stats{
      "graph_tool layout",
      "graph",
      {{"vertices", found.vertices}, {"edges", found.edges}, {"source", source.value().source.name}}};
  print(found, orujo::internal::layout::request_from_flags(), stats);
  return write_stats(stats, file.value());
}

}  // namespace orujo::internal::graph_tool
