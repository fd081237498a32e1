#include "framework/algorithms/closeness.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

#include "framework/gas/run.hpp"
#include "framework/graph/graph_checkpoints.hpp"
#include "framework/results/by_position.hpp"
#include "system/collectives/collectives.hpp"
#include "system/containers/global_array.hpp"
#include "system/loops/forall.hpp"

namespace orujo::internal::gas {

template run_report run(algorithms::distance_search&, graph::distributed_graph, const run_options&);

}  // namespace orujo::internal::gas

namespace orujo::internal::algorithms {
namespace {

using positions = containers::global_array<std::uint64_t>;

// [task; suspends] The positions of all vertices that have out-edges, ascending. The caller destroys them.
positions find_searched(graph::distributed_graph graph) {
  const auto leads_on = results::by_position<std::uint8_t>(
      graph,
      [](const graph::locale_graph& g, std::uint32_t v) -> std::uint8_t { return g.out_degree[v] > 0; });
  const positions found = loops::on_all_cores([=] {
    std::vector<std::uint64_t> mine;
    for (std::size_t k = 0; k < leads_on.local().size(); ++k) {
      if (leads_on.local()[k] != 0) mine.push_back(leads_on.range_here().first + k);
    }
    return positions::of(mine);
  });
  leads_on.destroy();
  return found;
}

// [task; suspends] Searches from up to 64 positions.
gas::run_report search_from(std::vector<std::uint64_t> sources, graph::distributed_graph graph,
                            graph::property<distance_totals> totals, const gas::run_options& options) {
  for (std::uint64_t& source : sources) source = graph.here().numbers.number(source);
  std::ranges::sort(sources);
  distance_search searches(sources, {totals});
  return gas::run(searches, graph, options);
}

// `others`: the sources other than the vertex.
double score_of(const distance_totals& found, double vertices, double others, nearness measure,
                bool wf_improved) {
  if (found.reached_by == 0) return 0;
  if (measure == nearness::harmonic) return found.inverses * ((vertices - 1) / others);
  const auto reached_by = static_cast<double>(found.reached_by);
  const double closeness = reached_by / static_cast<double>(found.distances);
  return wf_improved ? closeness * (reached_by / others) : closeness;
}

}  // namespace

closeness_report find_closeness(graph::distributed_graph graph, graph::property<double> scores,
                                std::span<const std::uint64_t> sources, const closeness_options& options,
                                const call_site& at) {
  scores.require_graph(graph.here(), at);
  const auto begin = std::chrono::steady_clock::now();
  const bool all = sources.empty();
  const positions searched = all ? find_searched(graph) : positions::create(0);
  const std::uint64_t searches = all ? searched.size() : sources.size();
  const auto totals = graph::property<distance_totals>::create(graph);
  closeness_report report{all ? graph.here().vertices : searches, searches};
  std::uint64_t done = 0;
  graph::graph_checkpoint_loop loop(
      graph, [=, at = memory::global_address(my_core(), &done)](graph::program_state& kept) {
        kept.add("totals", totals);
        kept.add("done", at);
      });
  loop.resume();
  gas::run_options run = options.run;
  run.checkpoints = false;
  for (; done < searches && report.ended; done += distance_search::most_sources) {
    loop.step();
    std::vector<std::uint64_t> batch(std::min<std::uint64_t>(searches - done, distance_search::most_sources));
    if (all) searched.get(done, batch);
    if (!all) std::ranges::copy(sources.subspan(done, batch.size()), batch.begin());
    const gas::run_report told = search_from(std::move(batch), graph, totals, run);
    report.supersteps += told.supersteps;
    report.ended = told.ended;
  }
  report.reached = loops::on_all_cores([=, count = report.sources, measure = options.measure,
                                        improved = options.wf_improved] {
    const graph::locale_graph& g = graph.here();
    std::uint64_t reached = 0;
    for (std::uint32_t v = g.my_part().first; v < g.my_part().last; ++v) {
      const distance_totals& found = totals.here()[v];
      const std::uint64_t others = count - (all ? 1 : found.is_source);
      scores.here()[v] =
          score_of(found, static_cast<double>(g.vertices), static_cast<double>(others), measure, improved);
      reached += found.reached_by;
    }
    return collectives::all_reduce(reached);
  });
  totals.destroy();
  searched.destroy();
  report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return report;
}

}  // namespace orujo::internal::algorithms
