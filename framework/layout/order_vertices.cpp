#include "framework/layout/order_vertices.hpp"

#include <glog/logging.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>
#include <string>
#include <utility>

#include "framework/generators/generator.hpp"
#include "system/collectives/collectives.hpp"
#include "system/loops/forall.hpp"
#include "system/machine/caches.hpp"

namespace orujo::layout {
namespace {

constexpr std::uint64_t sampled_pieces = 64, edges_of_piece = 1024;  // per core

// Calls visit(source, target) with the positions of some of this core's edges, from all over.
template <class Visit>
void visit_sample(const graph::input_edges& input, const graph::vertex_ids& ids, Visit visit) {
  const std::uint64_t first = input.generated ? input.generated->first : 0;
  const std::uint64_t last = input.generated ? input.generated->last : input.mine.edges.size();
  const std::uint64_t pieces = std::min(sampled_pieces, (last - first) / edges_of_piece + 1);
  std::vector<edge> made;
  std::vector<float> weights;
  for (std::uint64_t p = 0; p < pieces; ++p) {
    const index_range all = part_of({first, last}, p, pieces);
    const std::size_t count = std::min<std::size_t>(edges_of_piece, all.size());
    std::span<const edge> some;
    if (input.generated) {
      made.resize(count);
      weights.resize(input.generated->spec.weighted ? count : 0);
      generators::generate(input.generated->spec, all.first, made, weights);
      some = made;
    } else {
      some = std::span(input.mine.edges).subspan(all.first, count);
    }
    for (const edge& e : some) {
      if (e.source == e.target) continue;
      visit(ids.position(e.source), ids.position(e.target));
      if (input.mirrored) visit(ids.position(e.target), ids.position(e.source));
    }
  }
}

// [task; suspends; collective over the job] Mean of log2 of the distance of neighbours' numbers.
double sampled_log2_gap(const graph::input_edges& input, const graph::vertex_ids& ids,
                        const graph::numbering& numbers) {
  struct sum {
    double logs = 0;
    std::uint64_t edges = 0;
  } mine;
  visit_sample(input, ids, [&](std::uint64_t source, std::uint64_t target) {
    const std::uint64_t a = numbers.number(source), b = numbers.number(target);
    mine.logs += std::log2(static_cast<double>(std::max(a, b) - std::min(a, b)));
    ++mine.edges;
  });
  const sum all = collectives::all_reduce(mine, [](const sum& a, const sum& b) {
    return sum{a.logs + b.logs, a.edges + b.edges};
  });
  return all.edges == 0 ? 0 : all.logs / static_cast<double>(all.edges);
}

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

result<graph::numbering> number_by_neighbours(const graph::input_edges& input, const graph::vertex_ids& ids,
                                              const machine::huge_array<std::uint32_t>& degrees,
                                              const order_request& request) {
  const order_memory needs = request.kind == order_kind::community ? community_order_memory : order_memory{};
  auto gathered = gather_undirected(input, ids, degrees, needs);
  if (!gathered.ok()) return gathered.status();
  return numbering_by([&] {
    const vertex_sequence sequence =
        my_core() == 0 ? sequence_of(*gathered.value(), request) : vertex_sequence();
    return spread(sequence, ids.count());
  });
}

result<graph::numbering> find_numbering(const graph::input_edges& input, const graph::vertex_ids& ids,
                                        const order_request& request, shared_degrees degrees) {
  using enum order_kind;
  if (request.kind == none) return graph::numbering();
  if (request.kind == random) return graph::numbering::scattered(ids.count(), request.seed);
  if (!degrees) degrees = count_degrees(input, ids);
  const std::span<const std::uint32_t> by_position(degrees->data(), degrees->size());
  if (request.kind == degree) return numbering_by([&] { return degree_order(by_position); });
  if (request.kind == hub_cluster) return numbering_by([&] { return hub_cluster_order(by_position); });
  return number_by_neighbours(input, ids, *degrees, request);
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

result<graph::vertex_order> order_vertices(const graph::input_edges& input, const graph::vertex_ids& ids,
                                           const order_request& request) {
  const auto start = std::chrono::steady_clock::now();
  order_request chosen = request;
  shared_degrees degrees;
  graph::order_report report;
  if (request.kind == order_kind::automatic) {
    degrees = count_degrees(input, ids);
    const graph_traits traits =
        traits_of(input, ids, std::span<const std::uint32_t>(degrees->data(), degrees->size()));
    // One core's caches count for all: the choice must be the same everywhere.
    const std::size_t cache = collectives::broadcast(machine::second_level_cache_bytes(), 0);
    chosen.kind = choose_order(traits, request.vertex_bytes, cache);
    report.figures = {{"hub_share", traits.hub_share}};
  }
  auto numbers = find_numbering(input, ids, chosen, std::move(degrees));
  if (!numbers.ok()) return numbers.status();
  report.name = name_of(chosen.kind);
  report.chosen = request.kind == order_kind::automatic;
  report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (request.kind != order_kind::none) {
    report.log2_gap_before = sampled_log2_gap(input, ids, {});
    report.log2_gap = sampled_log2_gap(input, ids, numbers.value());
  }
  return graph::vertex_order{std::move(numbers).value(), report};
}

graph_traits traits_of(const graph::input_edges& input, const graph::vertex_ids& ids,
                       std::span<const std::uint32_t> degrees) {
  graph_traits found;
  found.vertices = ids.count();
  found.log2_gap = sampled_log2_gap(input, ids, {});
  const std::uint64_t ends = std::accumulate(degrees.begin(), degrees.end(), std::uint64_t{0});
  std::uint64_t at_hubs = 0;
  for (const std::uint32_t d : degrees) at_hubs += d * found.vertices > 4 * ends ? d : 0;
  found.hub_share = ends == 0 ? 0 : static_cast<double>(at_hubs) / static_cast<double>(ends);
  return found;
}

order_kind choose_order(const graph_traits& traits, std::size_t vertex_bytes, std::size_t cache_bytes) {
  if (traits.vertices * vertex_bytes <= cache_bytes) return order_kind::none;
  // The mean for two random vertices. Each bit less halves the distance.
  const double of_chance = std::log2(static_cast<double>(traits.vertices)) - 1.5 * std::log2(std::exp(1.0));
  if (traits.log2_gap < of_chance - 3) return order_kind::none;
  return traits.hub_share > 0.1 ? order_kind::degree : order_kind::hierarchical;
}

}  // namespace orujo::layout
