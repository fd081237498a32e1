// Algorithms on groups of vertices: components, communities, cores, sets, colours, triangles.
#include <algorithm>
#include <limits>
#include <memory>
#include <span>

#include "algorithms.hpp"
#include "framework/algorithms/cliques.hpp"
#include "framework/algorithms/coloring.hpp"
#include "framework/algorithms/connected_components.hpp"
#include "framework/algorithms/core_numbers.hpp"
#include "framework/algorithms/label_propagation.hpp"
#include "framework/algorithms/leiden.hpp"
#include "framework/algorithms/maximal_independent_set.hpp"
#include "framework/algorithms/strongly_connected_components.hpp"
#include "framework/algorithms/triangles.hpp"
#include "framework/algorithms/weighted_clustering.hpp"
#include "framework/algorithms/weighted_core_numbers.hpp"
#include "framework/gas/load.hpp"
#include "framework/gas/run.hpp"
#include "framework/graph/property.hpp"
#include "system/collectives/collectives.hpp"
#include "system/loops/forall.hpp"

namespace orujo::internal::python {
namespace {

constexpr graph::edge_forms out_rows{.in_vectors = false, .out_rows = true};

// [task at core 0; suspends] Returns convert(locale_graph, own vertex, value) of each; destroys both
// properties.
template <class From, class To, class Convert>
values<To> converted(graph::distributed_graph graph, graph::property<From> from, graph::property<To> to,
                     const Convert& convert) {
  loops::on_all_cores([=] {
    const graph::locale_graph& here = graph.here();
    for (std::uint32_t v = here.my_part().first; v < here.my_part().last; ++v)
      to.here()[v] = convert(here, v, from.here()[v]);
  });
  from.destroy();
  return values<To>::of(graph, to);
}

// [task at core 0; suspends] Labels are numbers of vertices, and become positions.
template <class Label>
values<std::int64_t> find_components(graph::distributed_graph graph) {
  const auto labels = graph::property<Label>::create(graph);
  loops::on_all_cores([=] { algorithms::connected_components<Label>(graph.here(), labels.here()).run(); });
  return converted(graph, labels, graph::property<std::int64_t>::create(graph),
                   [](const graph::locale_graph& here, std::uint32_t, Label label) {
                     return static_cast<std::int64_t>(here.numbers.position(label));
                   });
}

// Replaces the vertex of smallest number by that of smallest position.
void relabel(std::span<std::int64_t> labels) {
  std::vector<std::int64_t> first(labels.size(), -1);
  for (std::size_t v = 0; v < labels.size(); ++v) {
    std::int64_t& smallest = first[static_cast<std::size_t>(labels[v])];
    if (smallest < 0) smallest = static_cast<std::int64_t>(v);
    labels[v] = smallest;
  }
}

template <class Label, bool Weighted>
one_column<std::int64_t, convergence> propagate(graph::distributed_graph graph, int iterations) {
  const auto labels = graph::property<Label>::create(graph);
  const convergence of_core_0 = loops::on_all_cores([=, stop = loops::stop_flag(stop_word())] {
    algorithms::label_propagation<Label, Weighted> program(graph.here(), labels.here(), iterations);
    const gas::run_report run = gas::run(program, graph.here(), {.stop = stop});
    return convergence{run.supersteps, static_cast<double>(program.changes),
                       run.supersteps < iterations || program.changes == 0};
  });
  return {converted(graph, labels, graph::property<std::int64_t>::create(graph),
                    [](const graph::locale_graph&, std::uint32_t, Label label) {
                      return static_cast<std::int64_t>(label);
                    }),
          of_core_0};
}

bool has_small_labels(const graph_handle& g) {
  return g.facts().vertices < std::numeric_limits<std::uint32_t>::max();
}

// [task at core 0; suspends] Returns the number in the whole graph. `counts` are filled for every vertex, if
// given.
std::uint64_t count_triangles(graph::distributed_graph graph,
                              std::optional<graph::property<std::uint64_t>> counts) {
  return loops::on_all_cores([=] {
    algorithms::triangle_counter counter(
        graph.here(), counts ? algorithms::triangle_counts::by_vertex : algorithms::triangle_counts::none);
    const algorithms::triangle_report report = counter.run();
    const graph::core_part& mine = graph.here().my_part();
    for (std::uint32_t v = mine.first; counts && v < mine.last; ++v) counts->here()[v] = counter.count_of(v);
    return report.triangles;
  });
}

// The share of the pairs of an own vertex's neighbours that have an edge.
double coefficient(const graph::locale_graph& g, std::uint32_t v, std::uint64_t triangles) {
  const auto row = g.out_rows->of(v);
  const std::uint64_t degree = row.size() - (std::ranges::find(row, v) != row.end() ? 1 : 0);
  if (degree < 2) return 0;
  return static_cast<double>(triangles) /
         (static_cast<double>(degree) * (static_cast<double>(degree) - 1) / 2);
}

}  // namespace

values<std::int64_t> connected_components(const graph_handle& g) {
  const graph::distributed_graph graph =
      g.with(algorithms::connected_components_forms, "connected_components");
  auto found = together(g, call("connected_components"), [&]() -> result<values<std::int64_t>> {
    return has_small_labels(g) ? find_components<std::uint32_t>(graph)
                               : find_components<std::uint64_t>(graph);
  });
  if (g.facts().renumbered) relabel(found.all());
  return found;
}

values<std::int64_t> strongly_connected_components(const graph_handle& g) {
  const graph::distributed_graph graph = g.with(gas::forms_for_maps, "strongly_connected_components");
  return together(g, call("strongly_connected_components"), [&]() -> result<values<std::int64_t>> {
    const auto labels = graph::property<std::uint64_t>::create(graph);
    algorithms::strongly_connected_components(graph, labels, {.stop = stop_word()});
    return converted(graph, labels, graph::property<std::int64_t>::create(graph),
                     [](const graph::locale_graph&, std::uint32_t, std::uint64_t label) {
                       return static_cast<std::int64_t>(label);
                     });
  });
}

one_column<std::int64_t, convergence> label_propagation(const graph_handle& g, int iterations,
                                                        bool weighted) {
  const graph::distributed_graph graph =
      g.with(gas::forms_for<algorithms::label_propagation<std::uint32_t>>(), "label_propagation");
  if (weighted) require_weights(g, "label_propagation");
  const call as_called = call("label_propagation").with("iterations", iterations).with("weighted", weighted);
  return together(g, as_called, [&]() -> result<one_column<std::int64_t, convergence>> {
    if (weighted)
      return has_small_labels(g) ? propagate<std::uint32_t, true>(graph, iterations)
                                 : propagate<std::uint64_t, true>(graph, iterations);
    return has_small_labels(g) ? propagate<std::uint32_t, false>(graph, iterations)
                               : propagate<std::uint64_t, false>(graph, iterations);
  });
}

one_column<std::int64_t, double> leiden(const graph_handle& g, const community_request& request) {
  const std::string name = request.louvain ? "louvain" : "leiden";
  const graph::distributed_graph graph =
      g.symmetric_with({.in_vectors = false, .in_rows = true}, name.c_str());
  const call as_called = call(name)
                             .with("potts", request.potts)
                             .with("resolution", request.resolution)
                             .with("seed", request.seed)
                             .with("iterations", request.iterations)
                             .with("levels", request.levels);
  return together(g, as_called, [&]() -> result<one_column<std::int64_t, double>> {
    const auto labels = graph::property<std::uint64_t>::create(graph);
    algorithms::leiden_options options{.resolution = request.resolution,
                                       .seed = request.seed,
                                       .iterations = request.iterations,
                                       .stop = stop_word()};
    if (request.louvain) options.method = algorithms::community_method::louvain;
    if (request.potts) options.quality = algorithms::community_quality::cpm;
    if (request.levels > 0) options.max_levels = request.levels;
    const double quality = algorithms::leiden(graph, labels, options).quality;
    return one_column<std::int64_t, double>{
        converted(graph, labels, graph::property<std::int64_t>::create(graph),
                  [](const graph::locale_graph&, std::uint32_t, std::uint64_t label) {
                    return static_cast<std::int64_t>(label);
                  }),
        quality};
  });
}

values<std::uint32_t> k_core(const graph_handle& g) {
  const graph::distributed_graph graph = g.symmetric_with(out_rows, "k_core");
  return together(g, call("k_core").with("weighted", false), [&]() -> result<values<std::uint32_t>> {
    const auto cores = graph::property<std::uint32_t>::create(graph);
    loops::on_all_cores([=] { algorithms::core_numbers(graph.here(), cores.here()).run(); });
    return values<std::uint32_t>::of(graph, cores);
  });
}

values<double> weighted_k_core(const graph_handle& g) {
  const graph::distributed_graph graph =
      g.symmetric_with(gas::forms_for<algorithms::weighted_core_numbers>(), "k_core");
  require_weights(g, "k_core");
  return together(g, call("k_core").with("weighted", true), [&]() -> result<values<double>> {
    if (status room = check_room(g.facts(), "k_core(weighted=True)"); !room.ok()) return room;
    const auto cores = graph::property<double>::create(graph);
    loops::on_all_cores([=, stop = loops::stop_flag(stop_word())] {
      algorithms::weighted_core_numbers program(graph.here(), cores.here());
      gas::run(program, graph.here(), {.stop = stop});
    });
    return values<double>::of(graph, cores);
  });
}

values<std::uint8_t> maximal_independent_set(const graph_handle& g, std::uint64_t seed) {
  const graph::distributed_graph graph = g.symmetric_with(gas::forms_for_maps, "maximal_independent_set");
  const call as_called = call("maximal_independent_set").with("seed", seed);
  return together(g, as_called, [&]() -> result<values<std::uint8_t>> {
    const auto members = graph::property<std::uint8_t>::create(graph);
    algorithms::maximal_independent_set(graph, members, {.seed = seed, .stop = stop_word()});
    return values<std::uint8_t>::of(graph, members);
  });
}

one_column<std::int32_t, std::int32_t> coloring(const graph_handle& g) {
  const graph::distributed_graph graph =
      g.symmetric_with(gas::forms_for<algorithms::coloring_order>(), "coloring");
  return together(g, call("coloring"), [&]() -> result<one_column<std::int32_t, std::int32_t>> {
    const auto colors = graph::property<std::int32_t>::create(graph);
    const algorithms::coloring_report report = algorithms::coloring(graph, colors).run();
    return one_column<std::int32_t, std::int32_t>{values<std::int32_t>::of(graph, colors), report.colors};
  });
}

one_column<std::uint64_t, std::uint64_t> triangles(const graph_handle& g, bool with_counts) {
  const std::string name = with_counts ? "triangles" : "triangle_counting";
  const graph::distributed_graph graph = g.symmetric_with(out_rows, name.c_str());
  return together(g, call(name), [&]() -> result<one_column<std::uint64_t, std::uint64_t>> {
    if (!with_counts) return one_column<std::uint64_t, std::uint64_t>{{}, count_triangles(graph, {})};
    const auto counts = graph::property<std::uint64_t>::create(graph);
    const std::uint64_t total = count_triangles(graph, counts);
    return one_column<std::uint64_t, std::uint64_t>{values<std::uint64_t>::of(graph, counts), total};
  });
}

one_column<std::uint64_t, std::uint64_t> cliques(const graph_handle& g, int size, bool with_counts) {
  const std::string name = with_counts ? "cliques" : "clique_count";
  const graph::distributed_graph graph = g.symmetric_with(algorithms::clique_forms, name.c_str());
  return together(g, call(name).with("size", size),
                  [&]() -> result<one_column<std::uint64_t, std::uint64_t>> {
                    if (!with_counts) {
                      const auto found = algorithms::count_cliques(graph, size);
                      if (!found.ok()) return found.status();
                      return one_column<std::uint64_t, std::uint64_t>{{}, found.value().cliques};
                    }
                    const auto counts = graph::property<std::uint64_t>::create(graph);
                    const auto found = algorithms::count_cliques(graph, size, counts);
                    auto kept = values<std::uint64_t>::of(graph, counts);
                    if (!found.ok()) return found.status();
                    return one_column<std::uint64_t, std::uint64_t>{std::move(kept), found.value().cliques};
                  });
}

values<double> clustering(const graph_handle& g, bool weighted) {
  const graph::distributed_graph graph = g.symmetric_with(out_rows, "clustering");
  if (weighted) require_weights(g, "clustering");
  const call as_called = call("clustering").with("weighted", weighted);
  return together(g, as_called, [&]() -> result<values<double>> {
    if (weighted) {
      if (status room = check_room(g.facts(), "clustering(weighted=True)"); !room.ok()) return room;
      const auto coefficients = graph::property<double>::create(graph);
      algorithms::weighted_clustering(graph, coefficients);
      return values<double>::of(graph, coefficients);
    }
    const auto counts = graph::property<std::uint64_t>::create(graph);
    count_triangles(graph, counts);
    return converted(graph, counts, graph::property<double>::create(graph),
                     [](const graph::locale_graph& here, std::uint32_t v, std::uint64_t triangles) {
                       return coefficient(here, v, triangles);
                     });
  });
}

}  // namespace orujo::internal::python
