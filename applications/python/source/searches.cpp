// Searches from some vertices.
#include <algorithm>
#include <limits>
#include <memory>
#include <span>

#include "algorithms.hpp"
#include "framework/algorithms/betweenness.hpp"
#include "framework/algorithms/breadth_first_search.hpp"
#include "framework/algorithms/closeness.hpp"
#include "framework/algorithms/device_search.hpp"
#include "framework/algorithms/eccentricities.hpp"
#include "framework/algorithms/sample_positions.hpp"
#include "framework/algorithms/shortest_paths.hpp"
#include "framework/algorithms/weighted_betweenness.hpp"
#include "framework/device/selection.hpp"
#include "framework/gas/load.hpp"
#include "framework/gas/run.hpp"
#include "framework/graph/property.hpp"
#include "system/collectives/collectives.hpp"
#include "system/loops/forall.hpp"

namespace orujo::internal::python {
namespace {

constexpr graph::edge_forms both_rows{.in_vectors = false, .in_rows = true, .out_rows = true};

using int_property = graph::property<std::int32_t>;
using long_property = graph::property<std::int64_t>;

// [task; suspends; collective over the job] Returns the number of levels. Search is breadth_first_search or
// device_search.
template <class Search>
int find_tree(const graph::locale_graph& g, Search& search, std::uint64_t source, int_property levels,
              long_property parents) {
  const algorithms::search_report report = search.run(source);
  std::ranges::fill(g.my_part().of(levels.here()), -1);
  std::ranges::fill(g.my_part().of(parents.here()), -1);
  collectives::barrier(collectives::group::locale);
  search.for_each_reached([&](std::uint32_t v, std::uint64_t parent, std::size_t level) {
    levels.here()[v] = static_cast<std::int32_t>(level);
    parents.here()[v] = static_cast<std::int64_t>(g.numbers.position(parent));
  });
  return report.levels;
}

}  // namespace

two_columns<std::int32_t, std::int64_t, int> bfs(const graph_handle& g, const vertex_key& source) {
  using found_tree = two_columns<std::int32_t, std::int64_t, int>;
  const graph::distributed_graph graph = g.with(both_rows, "bfs");
  return together(g, call("bfs").with("source", source), [&]() -> result<found_tree> {
    const auto number = number_of(g.facts(), source);
    if (!number.ok()) return number.status();
    const auto levels = int_property::create(graph);
    const auto parents = long_property::create(graph);
    const device::selection device = device::device_from_flags();
    const int deepest = loops::on_all_cores([=, from = number.value()] {
      const graph::locale_graph& here = graph.here();
      if (device.may_be_gpu()) {
        if (const auto search = algorithms::device_search::make(here, {}, device))
          return find_tree(here, *search, from, levels, parents);
      }
      algorithms::breadth_first_search search(here);
      return find_tree(here, search, from, levels, parents);
    });
    return found_tree{values<std::int32_t>::of(graph, levels), values<std::int64_t>::of(graph, parents),
                      deepest};
  });
}

values<double> sssp(const graph_handle& g, const vertex_key& source, double delta) {
  // Only cores know the number of locales. In-edges of a symmetric graph are its out-edges.
  const graph::edge_forms needed = algorithms::shortest_paths_forms(!g.facts().symmetric);
  const graph::distributed_graph graph = g.with(needed, "sssp");
  if (g.facts().negative)
    throw job_error(
        {exit_status::bad_data, "sssp() of a graph with negative weights: expected all from 0 on"});
  const call as_called = call("sssp").with("source", source).with("delta", delta);
  return together(g, as_called, [&]() -> result<values<double>> {
    const auto number = number_of(g.facts(), source);
    if (!number.ok()) return number.status();
    const auto distances = graph::property<double>::create(graph);
    loops::on_all_cores([=, from = number.value()] {
      algorithms::shortest_paths paths(graph.here(), static_cast<float>(delta));
      paths.run(from);
      paths.write(distances.here());
    });
    return values<double>::of(graph, distances);
  });
}

namespace {

// [task at core 0; suspends] Sets the scores. Centrality is betweenness_centrality or weighted_betweenness.
template <class Centrality>
algorithms::centrality_report find_scores(graph::distributed_graph graph, graph::property<double> scores,
                                          const std::vector<std::uint64_t>& sources) {
  return loops::on_all_cores(
      [=, stop = loops::stop_flag(stop_word())](const std::vector<std::uint64_t>& all) {
        return Centrality(graph.here(), scores.here()).run(all, stop);
      },
      sources);
}

}  // namespace

values<double> betweenness_centrality(const graph_handle& g, const std::vector<vertex_key>& sources,
                                      bool weighted) {
  const graph::distributed_graph graph = g.with(both_rows, "betweenness_centrality");
  if (weighted) require_weights(g, "betweenness_centrality");
  const call as_called = call("betweenness_centrality").with("sources", sources).with("weighted", weighted);
  return together(g, as_called, [&]() -> result<values<double>> {
    const auto numbers = numbers_of(g.facts(), sources);
    if (!numbers.ok()) return numbers.status();
    const auto scores = graph::property<double>::create(graph);
    const auto run = weighted
                         ? find_scores<algorithms::weighted_betweenness>(graph, scores, numbers.value())
                         : find_scores<algorithms::betweenness_centrality>(graph, scores, numbers.value());
    const status lengths = algorithms::check_lengths(run, "betweenness_centrality(weighted=True)");
    if (lengths.ok()) return values<double>::of(graph, scores);
    scores.destroy();
    return lengths;
  });
}

values<double> closeness(const graph_handle& g, const closeness_request& request) {
  const char* const name = request.harmonic ? "harmonic_centrality" : "closeness_centrality";
  const graph::distributed_graph graph = g.with(gas::forms_for<algorithms::distance_search>(), name);
  const call as_called = call(name)
                             .with("wf_improved", request.wf_improved)
                             .with("k", request.samples)
                             .with("seed", request.seed);
  return together(g, as_called, [&]() -> result<values<double>> {
    std::vector<std::uint64_t> sources;
    if (request.samples > 0)
      sources = algorithms::sample_positions(g.facts().vertices, request.samples, request.seed);
    const auto scores = graph::property<double>::create(graph);
    algorithms::find_closeness(
        graph, scores, sources,
        {.measure = request.harmonic ? algorithms::nearness::harmonic : algorithms::nearness::closeness,
         .wf_improved = request.wf_improved,
         .run = {.stop = stop_word()}});
    return values<double>::of(graph, scores);
  });
}

one_column<std::int32_t, std::vector<std::int32_t>> eccentricity(const graph_handle& g,
                                                                 const std::vector<vertex_key>& sources) {
  using algorithms::eccentricities;
  using found_distances = one_column<std::int32_t, std::vector<std::int32_t>>;
  const graph::distributed_graph graph = g.with(gas::forms_for<eccentricities>(), "eccentricity");
  return together(g, call("eccentricity").with("sources", sources), [&]() -> result<found_distances> {
    const auto numbers = numbers_of(g.facts(), sources);
    if (!numbers.ok()) return numbers.status();
    std::vector<std::uint64_t> ordered = numbers.value();
    std::ranges::sort(ordered);
    ordered.erase(std::unique(ordered.begin(), ordered.end()), ordered.end());
    if (ordered.empty() || ordered.size() > eccentricities::most_sources)
      return status(exit_status::usage, "eccentricity() of " + std::to_string(ordered.size()) +
                                            " sources: pass from 1 to 64 at a time");
    const auto farthest = graph::property<std::int32_t>::create(graph);
    eccentricities program(ordered, {farthest});
    gas::run(program, graph, {.stop = stop_word()});
    found_distances found;
    for (const std::uint64_t number : numbers.value()) {
      const auto at = std::ranges::lower_bound(ordered, number) - ordered.begin();
      found.about.push_back(program.of_source[static_cast<std::size_t>(at)]);
    }
    found.first = values<std::int32_t>::of(graph, farthest);
    return found;
  });
}

}  // namespace orujo::internal::python
