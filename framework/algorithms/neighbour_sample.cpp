#include "framework/algorithms/neighbour_sample.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <numeric>
#include <optional>

#include "framework/algorithms/edge_draws.hpp"
#include "framework/graph/kept_forms.hpp"
#include "framework/results/by_position.hpp"
#include "system/base/check.hpp"
#include "system/base/random.hpp"
#include "system/collectives/collectives.hpp"
#include "system/collectives/exchange_by.hpp"
#include "system/containers/flat_table.hpp"
#include "system/loops/forall.hpp"

namespace orujo::internal::algorithms {
namespace {

// A vertex to draw at, and its index in the layer.
struct draw_request {
  std::uint64_t number, place;
};
struct drawn_edge {
  std::uint64_t place, neighbour, edge;  // neighbour: its position
};
using detail::layer_options, detail::ordered_edge;
using edge_counts = std::optional<containers::global_array<std::uint64_t>>;

// [task; suspends] The number of edges before those of each position. None where vertices are in the order of
// their ids: rows are then in this order.
edge_counts count_before(graph::distributed_graph graph, bool in_edges) {
  if (graph.here().numbers.is_identity()) return std::nullopt;
  const auto counts =
      results::by_position<std::uint64_t>(graph, [in_edges](const graph::locale_graph& g, std::uint32_t v) {
        return (in_edges ? g.in_rows : g.out_rows)->degree(v);
      });
  loops::on_all_cores([counts] {
    const std::span<std::uint64_t> mine = counts.local();
    const std::uint64_t first =
        collectives::exclusive_sum(std::accumulate(mine.begin(), mine.end(), std::uint64_t{0}));
    std::exclusive_scan(mine.begin(), mine.end(), mine.begin(), first);
  });
  return counts;
}

// [task; suspends; collective over the job] The edges that are drawn at the requested vertices of this core.
std::vector<drawn_edge> draw_here(const graph::locale_graph& g, std::span<const draw_request> requests,
                                  const layer_options& options, const edge_counts& before) {
  const graph::adjacency& rows = options.in_edges ? *g.in_rows : *g.out_rows;
  const std::uint64_t skipped = rows.offsets[g.my_part().first];
  const std::uint64_t first = collectives::exclusive_sum(rows.offsets[g.my_part().last] - skipped);
  std::vector<std::uint64_t> positions(requests.size()), firsts(requests.size());
  for (std::size_t k = 0; k < requests.size(); ++k) {
    const std::uint64_t v = requests[k].number - g.first_vertex;
    positions[k] = g.numbers.position(requests[k].number);
    firsts[k] = first + (rows.offsets[v] - skipped);
  }
  if (before) before->gather(positions, std::span(firsts));
  std::vector<drawn_edge> edges;
  std::vector<ordered_edge> row;
  for (std::size_t k = 0; k < requests.size(); ++k) {
    const auto v = static_cast<std::uint32_t>(requests[k].number - g.first_vertex);
    const bool as_it_is = !before && !options.timed;
    if (!as_it_is) detail::find_edges(g, rows, v, options, row);
    for (const std::uint64_t edge : detail::draw_edges(options, random_stream(options.seed, positions[k]),
                                                       as_it_is ? rows.degree(v) : row.size())) {
      const auto [neighbour, index, time] =
          as_it_is ? ordered_edge{g.position_of(rows.of(v)[edge]), edge, 0} : row[edge];
      edges.push_back({requests[k].place, neighbour, firsts[k] + index});
    }
  }
  return edges;
}

}  // namespace

neighbour_sample sample_neighbours(graph::distributed_graph graph, std::span<const std::uint64_t> seeds,
                                   const neighbour_sample_options& options) {
  const graph::locale_graph& here = graph.here();
  graph::require_forms(here, {.in_rows = options.in_edges, .out_rows = !options.in_edges},
                       "sample_neighbours:");
  require(!options.latest || (options.timed && !options.replace),
          "the latest edges are drawn of edges with times, and without replacement");
  const auto begin = std::chrono::steady_clock::now();
  const auto before = count_before(graph, options.in_edges);
  neighbour_sample found;
  containers::flat_table<std::uint64_t, std::uint64_t> places;  // by position, in found.vertices
  const auto place_of = [&](std::uint64_t position) {
    const auto [place, is_new] = places.find_or_insert(position);
    if (is_new) {
      *place = found.vertices.size();
      found.vertices.push_back(position);
    }
    return *place;
  };
  for (std::size_t k = 0; k < seeds.size(); ++k) {
    require(seeds[k] < here.vertices, "a seed that is no position of a vertex");
    require(place_of(seeds[k]) == k, "a seed that is there twice: pass each once");
  }
  found.vertices_of_layer.push_back(seeds.size());
  std::uint64_t first = 0;
  for (const std::int64_t fan_out : options.fan_outs) {
    std::vector<draw_request> layer;
    for (std::uint64_t k = first; k < found.vertices.size(); ++k)
      layer.push_back({here.numbers.number(found.vertices[k]), k});
    first = found.vertices.size();
    const memory::global_address<const std::vector<draw_request>> requests(my_core(), &layer);
    const layer_options of_layer{fan_out,       options.replace, options.in_edges, options.seed,
                                 options.timed, options.latest,  options.until};
    std::vector<drawn_edge> drawn = loops::on_all_cores(
        [=](const edge_counts& counts) {
          const graph::locale_graph& g = graph.here();
          const core_id caller = requests.core();
          const auto mine = my_core() == caller ? *requests.local() : std::vector<draw_request>();
          const auto asked =
              collectives::exchange_by(mine, [&](const draw_request& r) { return g.owners.owner(r.number); });
          return collectives::exchange_by(draw_here(g, asked, of_layer, counts),
                                          [=](const drawn_edge&) { return caller; });
        },
        before);
    std::ranges::stable_sort(drawn, {}, &drawn_edge::place);
    for (const drawn_edge& e : drawn) found.edges.push_back({e.place, place_of(e.neighbour), e.edge});
    found.edges_of_layer.push_back(drawn.size());
    found.vertices_of_layer.push_back(found.vertices.size() - first);
  }
  if (before) before->destroy();
  found.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return found;
}

}  // namespace orujo::internal::algorithms
