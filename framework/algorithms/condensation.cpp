#include "framework/algorithms/condensation.hpp"

#include <algorithm>
#include <memory>
#include <span>
#include <vector>

#include "framework/graph/kept_forms.hpp"
#include "framework/graph/neighbours.hpp"
#include "system/base/random.hpp"
#include "system/collectives/collectives.hpp"
#include "system/collectives/exchange_by.hpp"
#include "system/machine/huge_array.hpp"

namespace orujo::internal::algorithms {
namespace {

using counted_edge = graph::valued_edge<std::uint64_t>;

// Makes one of edges with equal ends.
void count_equal(std::vector<counted_edge>& edges) {
  std::ranges::sort(edges);
  std::size_t last = 0;
  for (const counted_edge& e : edges) {
    if (last > 0 && edges[last - 1].source == e.source && edges[last - 1].target == e.target) {
      edges[last - 1].value += e.value;
    } else {
      edges[last++] = e;
    }
  }
  edges.resize(last);
}

// [task; suspends; collective over the job] The labels of the locale's mirrors.
std::shared_ptr<machine::huge_array<std::uint64_t>> labels_of_mirrors(graph::distributed_graph graph,
                                                                      graph::property<std::uint64_t> labels) {
  const graph::locale_graph& g = graph.here();
  const auto found = collectives::share_on_locale<machine::huge_array<std::uint64_t>>(
      [&] { return std::make_shared<machine::huge_array<std::uint64_t>>(g.mirrors); });
  const index_range mine = my_part_of_locale({0, g.mirrors});
  graph::gather_values(graph, labels, std::span(g.mirrored).subspan(mine.first, mine.size()),
                       std::span(found->data(), g.mirrors).subspan(mine.first, mine.size()));
  collectives::barrier(collectives::group::locale);
  return found;
}

graph::edge_array<std::uint64_t> condense_here(graph::distributed_graph graph,
                                               graph::property<std::uint64_t> labels) {
  constexpr std::size_t at_a_time = std::size_t{1} << 22;  // edges, before equal ones are counted
  const graph::locale_graph& g = graph.here();
  const auto of_mirrors = labels_of_mirrors(graph, labels);
  const graph::edge_reader rows = g.out_rows->any_form();
  std::vector<counted_edge> edges;
  std::size_t most = at_a_time;
  for (std::uint32_t v = g.my_part().first; v < g.my_part().last; ++v) {
    const std::uint64_t source = labels.here()[v];
    for (std::uint64_t slot = g.out_rows->offsets[v]; slot < g.out_rows->offsets[v + 1]; ++slot) {
      const std::uint32_t other = rows.neighbour(slot);
      const std::uint64_t target = other < g.own ? labels.here()[other] : of_mirrors->data()[other - g.own];
      if (target != source) edges.push_back({source, target, 1});
    }
    if (edges.size() < most) continue;
    count_equal(edges);
    most = 2 * edges.size() + at_a_time;
  }
  count_equal(edges);
  edges = collectives::exchange_by(edges, [](const counted_edge& e) {
    return static_cast<core_id>(mix64(e.source) % static_cast<std::uint64_t>(cores()));
  });
  count_equal(edges);
  return graph::edge_array<std::uint64_t>::of(edges);
}

}  // namespace

graph::edge_array<std::uint64_t> condensation(graph::distributed_graph graph,
                                              graph::property<std::uint64_t> labels, const call_site& at) {
  labels.require_graph(graph.here(), at);
  graph::require_forms(graph.here(), {.out_rows = true, .in_arrays = false}, "condensation:");
  return loops::on_all_cores([=] { return condense_here(graph, labels); });
}

}  // namespace orujo::internal::algorithms
