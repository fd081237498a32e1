// Algorithms whose results are edges, or need more than one of the others.
#include <algorithm>
#include <type_traits>
#include <utility>
#include <vector>

#include "algorithms.hpp"
#include "framework/algorithms/condensation.hpp"
#include "framework/algorithms/dag_levels.hpp"
#include "framework/algorithms/edge_betweenness.hpp"
#include "framework/algorithms/minimum_spanning_forest.hpp"
#include "framework/algorithms/similarity.hpp"
#include "framework/algorithms/strongly_connected_components.hpp"
#include "framework/algorithms/truss_numbers.hpp"
#include "framework/algorithms/weighted_betweenness.hpp"
#include "framework/graph/valued_edge.hpp"
#include "system/containers/global_array.hpp"
#include "system/containers/sort.hpp"
#include "system/loops/forall.hpp"

namespace orujo::internal::python {
namespace {

// [task at core 0; suspends] Sorts the edges, takes them apart and destroys them.
template <class T>
found_edges<T> columns_of(graph::edge_array<T> edges) {
  containers::sort(edges);
  const auto sources = containers::global_array<std::int64_t>::create(edges.size());
  const auto targets = containers::global_array<std::int64_t>::create(edges.size());
  const auto its_values = containers::global_array<T>::create(edges.size());
  loops::on_all_cores([=] {
    for (std::size_t k = 0; k < edges.local().size(); ++k) {
      const graph::valued_edge<T>& e = edges.local()[k];
      sources.local()[k] = static_cast<std::int64_t>(e.source);
      targets.local()[k] = static_cast<std::int64_t>(e.target);
      its_values.local()[k] = e.value;
    }
  });
  edges.destroy();
  return {values<std::int64_t>::of(sources), values<std::int64_t>::of(targets), values<T>::of(its_values)};
}

// [task at core 0; suspends] Destroys the property.
template <class Number>
auto as_signed(graph::distributed_graph graph, graph::property<Number> from) {
  using signed_number = std::make_signed_t<Number>;
  const auto to = graph::property<signed_number>::create(graph);
  loops::on_all_cores([=] {
    const graph::core_part& mine = graph.here().my_part();
    std::ranges::transform(mine.of(from.here()), mine.of(to.here()).begin(),
                           [](Number number) { return static_cast<signed_number>(number); });
  });
  from.destroy();
  return values<signed_number>::of(graph, to);
}

}  // namespace

found_edges<float> minimum_spanning_forest(const graph_handle& g) {
  const graph::distributed_graph graph = g.with(algorithms::spanning_forest_forms, "minimum_spanning_forest");
  return together(g, call("minimum_spanning_forest"), [&]() -> result<found_edges<float>> {
    return columns_of(algorithms::minimum_spanning_forest(graph, {.stop = stop_word()}).edges);
  });
}

found_edges<std::uint32_t> edge_support(const graph_handle& g) {
  const graph::distributed_graph graph = g.symmetric_with(algorithms::truss_forms, "edge_support");
  return together(g, call("edge_support"), [&]() -> result<found_edges<std::uint32_t>> {
    return columns_of(algorithms::edge_support(graph).edges);
  });
}

found_edges<std::uint32_t> truss_numbers(const graph_handle& g) {
  const graph::distributed_graph graph = g.symmetric_with(algorithms::truss_forms, "truss_numbers");
  return together(g, call("truss_numbers"), [&]() -> result<found_edges<std::uint32_t>> {
    return columns_of(algorithms::truss_numbers(graph).edges);
  });
}

found_edges<double> edge_betweenness_centrality(const graph_handle& g, const std::vector<vertex_key>& sources,
                                                bool weighted) {
  const graph::distributed_graph graph =
      g.with({.in_vectors = false, .in_rows = true, .out_rows = true}, "edge_betweenness_centrality");
  if (weighted) require_weights(g, "edge_betweenness_centrality");
  const call as_called =
      call("edge_betweenness_centrality").with("sources", sources).with("weighted", weighted);
  return together(g, as_called, [&]() -> result<found_edges<double>> {
    std::vector<std::uint64_t> numbers;
    for (const vertex_key& source : sources) {
      const auto number = number_of(g.facts(), source);
      if (!number.ok()) return number.status();
      numbers.push_back(number.value());
    }
    const algorithms::edge_centrality found =
        algorithms::edge_betweenness(graph, numbers, {.weighted = weighted, .stop = stop_word()});
    const status lengths =
        algorithms::check_lengths(found.report, "edge_betweenness_centrality(weighted=True)");
    if (lengths.ok()) return columns_of(found.edges);
    found.edges.destroy();
    return lengths;
  });
}

found_edges<double> similarity(const graph_handle& g, const std::string& measure) {
  const graph::distributed_graph graph = g.symmetric_with(algorithms::similarity_forms, "similarity");
  return together(g, call("similarity").with("measure", measure), [&]() -> result<found_edges<double>> {
    return columns_of(
        algorithms::similarities_of_edges(graph, algorithms::measure_of(measure).value()).pairs);
  });
}

values<double> pair_similarity(const graph_handle& g, std::span<const std::int64_t> sources,
                               std::span<const std::int64_t> targets, const std::string& measure) {
  const graph::distributed_graph graph = g.symmetric_with(algorithms::similarity_forms, "pair_similarity");
  const call as_called = call("pair_similarity")
                             .with("sources", std::vector(sources.begin(), sources.end()))
                             .with("targets", std::vector(targets.begin(), targets.end()))
                             .with("measure", measure);
  return together(g, as_called, [&]() -> result<values<double>> {
    std::vector<graph::vertex_pair> given;
    for (std::size_t k = 0; k < sources.size(); ++k)
      given.push_back({static_cast<std::uint64_t>(sources[k]), static_cast<std::uint64_t>(targets[k])});
    const auto pairs = containers::global_array<graph::vertex_pair>::create(given.size());
    pairs.put(0, std::span<const graph::vertex_pair>(given));
    const graph::edge_array<double> found =
        algorithms::similarities_of_pairs(graph, pairs, algorithms::measure_of(measure).value()).pairs;
    pairs.destroy();
    const auto its_values = containers::global_array<double>::create(found.size());
    loops::on_all_cores([=] {
      std::ranges::transform(found.local(), its_values.local().begin(), &graph::valued_edge<double>::value);
    });
    found.destroy();
    return values<double>::of(its_values);
  });
}

found_condensation condensation(const graph_handle& g) {
  const graph::distributed_graph graph = g.with(gas::forms_for_maps, "condensation");
  return together(g, call("condensation"), [&]() -> result<found_condensation> {
    const auto labels = graph::property<std::uint64_t>::create(graph);
    algorithms::strong_components_report run =
        algorithms::strongly_connected_components(graph, labels, {.stop = stop_word()});
    if (!run.ended) loops::on_all_cores([=] { std::ranges::fill(labels.here(), 0); });
    auto edges = columns_of(algorithms::condensation(graph, labels));
    return found_condensation{as_signed(graph, labels), std::move(edges)};
  });
}

one_column<std::int32_t, std::vector<std::int64_t>> dag_levels(const graph_handle& g) {
  const graph::distributed_graph graph = g.with(gas::forms_for_maps, "dag_levels");
  return together(g, call("dag_levels"),
                  [&]() -> result<one_column<std::int32_t, std::vector<std::int64_t>>> {
                    const auto levels = graph::property<std::uint32_t>::create(graph);
                    const auto run = algorithms::dag_levels(graph, levels, {.stop = stop_word()});
                    return one_column<std::int32_t, std::vector<std::int64_t>>{
                        as_signed(graph, levels), {run.cycle.begin(), run.cycle.end()}};
                  });
}

}  // namespace orujo::internal::python
