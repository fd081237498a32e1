#include "framework/algorithms/random_walks.hpp"

#include <chrono>
#include <tuple>
#include <vector>

#include "framework/algorithms/walker.hpp"
#include "framework/graph/kept_forms.hpp"
#include "framework/results/by_position.hpp"
#include "system/base/check.hpp"
#include "system/delegates/call_on_all.hpp"
#include "system/loops/forall.hpp"
#include "system/memory/budget.hpp"

namespace orujo::internal::algorithms {
namespace {

void check_edges(graph::distributed_graph graph, const walk_edges& edges, const call_site& at) {
  require(edges.types.has_value() == !edges.metapath.empty(),
          "types of vertices without a metapath, or a metapath without types: pass both", at);
  if (edges.types) {
    edges.types->require_graph(graph.here(), at);
    require(edges.metapath.size() >= 2 && edges.metapath.front() == edges.metapath.back(),
            "a metapath that does not end with its first type: pass two types or more", at);
  }
  require(!edges.weighted || !edges.timed, "edges with weights that are times, too: choose one of both", at);
}

// [task; suspends] The positions of the vertices of the first type, ascending.
detail::walk_starts find_walk_starts(graph::distributed_graph graph, const walk_edges& edges,
                                     const call_site& at) {
  check_edges(graph, edges, at);
  if (!edges.types) return std::nullopt;
  const auto starts_walks = [types = *edges.types, first = edges.metapath.front()](
                                const graph::locale_graph&, std::uint32_t v) -> std::uint8_t {
    return types.here()[v] == first;
  };
  const auto is_start = results::by_position<std::uint8_t>(graph, starts_walks);
  const auto starts = loops::on_all_cores([is_start] {
    std::vector<std::uint64_t> mine;
    const index_range positions = is_start.range_here();
    for (std::size_t k = positions.first; k < positions.last; ++k)
      if (is_start.local()[k - positions.first] != 0) mine.push_back(k);
    return containers::global_array<std::uint64_t>::of(mine);
  });
  is_start.destroy();
  return starts;
}

}  // namespace

random_walks::random_walks(graph::distributed_graph graph, graph::property<std::uint64_t> visits,
                           const walk_edges& edges, const call_site& at)
    : graph_(graph),
      may_be_biased_(!edges.types && !edges.timed),
      starts_(find_walk_starts(graph, edges, at)),
      parts_(containers::symmetric<detail::walker>::reserve()) {
  graph::require_forms(graph.here(), {.out_rows = true}, "random_walks:");
  visits.require_graph(graph.here(), at);
  loops::on_all_cores(
      [graph, visits, parts = parts_](const std::tuple<walk_edges, detail::walk_starts>& how) {
        parts.emplace_here(graph, visits, std::get<0>(how), std::get<1>(how));
      },
      std::tuple(edges, starts_));
}

random_walks::~random_walks() {
  parts_.destroy();
  if (starts_) starts_->destroy();
}

walks_report random_walks::run(const walk_options& options) {
  require(may_be_biased_ || (options.p == 1 && options.q == 1),
          "p or q of walks along a metapath or times: they have no bias");
  const std::uint64_t vertices = starts_ ? starts_->size() : graph_.here().vertices;
  walks_report report;
  if (vertices > 0) report.walks = options.walks > 0 ? options.walks : vertices * options.per_vertex;
  if (options.keep_walks) {
    report.vertices = containers::global_array<std::int64_t>::create(
        memory::bytes_of(report.walks, std::uint64_t{options.length} + 1));
  }
  loops::on_all_cores(
      [options, parts = parts_](const detail::kept_walks& kept) { parts.here().reset(options, kept); },
      report.vertices);
  if (vertices == 0) return report;
  const auto begin = std::chrono::steady_clock::now();
  delegates::completion_event ended;
  loops::on_all_cores([parts = parts_, event = ended.ref(), walks = report.walks] {
    parts.here().start(parts, event, walks);
  });
  ended.wait();
  report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  report.steps =
      delegates::sum_of_all([parts = parts_] { return parts.here().count_visits(); }) - report.walks;
  return report;
}

}  // namespace orujo::internal::algorithms
