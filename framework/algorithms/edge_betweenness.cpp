#include "framework/algorithms/edge_betweenness.hpp"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "framework/algorithms/weighted_betweenness.hpp"
#include "framework/graph/kept_forms.hpp"
#include "framework/graph/property.hpp"
#include "system/base/random.hpp"
#include "system/collectives/collectives.hpp"
#include "system/collectives/exchange_by.hpp"
#include "system/loops/forall.hpp"
#include "system/machine/huge_array.hpp"

namespace orujo::internal::algorithms {
namespace {

using scored_edge = graph::valued_edge<double>;

// Makes one of edges with equal ends, and adds up their scores in ascending order.
void add_up_equal(std::vector<scored_edge>& edges) {
  std::ranges::sort(edges);
  std::size_t last = 0;
  for (const scored_edge& e : edges) {
    if (last > 0 && edges[last - 1].source == e.source && edges[last - 1].target == e.target) {
      edges[last - 1].value += e.value;
    } else {
      edges[last++] = e;
    }
  }
  edges.resize(last);
}

// The edges that this core has the scores of. In a symmetric graph both directions of an edge come to the
// same core.
std::vector<scored_edge> edges_of(const graph::locale_graph& g, const double* scores) {
  const graph::adjacency& rows = *g.out_rows;
  const graph::edge_reader ends = rows.any_form();
  const graph::core_part& mine = g.my_part();
  std::vector<scored_edge> edges;
  edges.reserve(rows.offsets[mine.last] - rows.offsets[mine.first]);
  for (std::uint32_t v = mine.first; v < mine.last; ++v) {
    const std::uint64_t from = g.position_of(v);
    for (std::uint64_t slot = rows.offsets[v]; slot < rows.offsets[v + 1]; ++slot) {
      const std::uint64_t to = g.position_of(ends.neighbour(slot));
      const bool turns = g.symmetric && to < from;
      edges.push_back({turns ? to : from, turns ? from : to, scores[slot]});
    }
  }
  if (g.symmetric) {
    edges = collectives::exchange_by(edges, [](const scored_edge& e) {
      return static_cast<core_id>(mix64(e.source) % static_cast<std::uint64_t>(cores()));
    });
  }
  add_up_equal(edges);
  return edges;
}

// [task; suspends; collective over the job] The scores of this core's edges.
template <class Centrality>
edge_centrality find_scores(graph::locale_graph& g, std::span<double> of_vertices,
                            std::span<const std::uint64_t> sources, loops::stop_flag stop) {
  // One more than there are edges, as an array without elements would say that no scores are wanted.
  const auto scores = collectives::share_on_locale<machine::huge_array<double>>(
      [&] { return std::make_shared<machine::huge_array<double>>(g.out_rows->edges() + 1); });
  const centrality_report report =
      Centrality(g, of_vertices, {scores->data(), scores->size()}).run(sources, stop);
  return {graph::edge_array<double>::of(edges_of(g, scores->data())), report};
}

}  // namespace

edge_centrality edge_betweenness(graph::distributed_graph graph, std::span<const std::uint64_t> sources,
                                 const edge_centrality_options& options) {
  graph::require_forms(graph.here(), {.in_rows = true, .out_rows = true, .in_arrays = !options.weighted},
                       "edge_betweenness:");
  const auto of_vertices = graph::property<double>::create(graph);
  const edge_centrality found = loops::on_all_cores(
      [=](const std::vector<std::uint64_t>& all) {
        return options.weighted
                   ? find_scores<weighted_betweenness>(graph.here(), of_vertices.here(), all, options.stop)
                   : find_scores<betweenness_centrality>(graph.here(), of_vertices.here(), all, options.stop);
      },
      std::vector(sources.begin(), sources.end()));
  of_vertices.destroy();
  return found;
}

}  // namespace orujo::internal::algorithms
