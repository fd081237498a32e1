// Number of edges that programs examine, as parts of the graph's ("looks"), and their time.
//   bin/orujo bench -n 1 -c 2 --filter=edges_of
// or between nodes:
//   tests/cluster/cluster.sh run -n 4 -- build/release/tests/benchmarks --benchmark_filter=edges_of_paths
#include <benchmark/benchmark.h>

#include <algorithm>
#include <limits>
#include <vector>

#include "framework/algorithms/shortest_paths.hpp"
#include "framework/gas/load.hpp"
#include "framework/gas/run.hpp"
#include "framework/graph/build/build.hpp"
#include "framework/graph/property.hpp"
#include "system/base/random.hpp"
#include "system/collectives/collectives.hpp"
#include "system/loops/forall.hpp"
#include "tests/at_home.hpp"

namespace orujo::internal::gas {
namespace {

// Components by the smallest number in each.
template <bool Asynchronous, bool Improves>
struct smallest_numbers {
  static constexpr bool incremental = true, asynchronous = Asynchronous, improves = Improves;
  using value = std::uint32_t;
  static constexpr auto combine = minimum{};
  using aggregate = nothing;
  template <class V>
  V gather(V shown, V) const {
    return shown;
  }
  value start(const vertex& v, aggregate&) { return static_cast<value>(v.number()); }
  bool apply(const vertex&, value total, value& shown, aggregate&) {
    if (total >= shown) return false;
    shown = total;
    return true;
  }
};

// Shortest paths from a vertex.
struct path_lengths {
  static constexpr bool incremental = true, improves = true, monotone = true;
  using value = float;
  static constexpr auto combine = minimum{};
  using aggregate = nothing;
  template <class V>
  V gather(V length, V weight) const {
    return length + weight;
  }
  bool starts(const vertex& v) const { return v.number() == source; }
  value start(const vertex& v, aggregate&) { return starts(v) ? 0 : std::numeric_limits<float>::infinity(); }
  std::uint64_t priority(const vertex&, const value& length) const {
    return static_cast<std::uint64_t>(std::min(length / width, 1e18f));
  }
  std::uint64_t source;
  float width;
};

graph::distributed_graph made_for(std::int64_t kind, const graph::edge_forms& keep, bool weighted = false) {
  using generators::graph_kind;
  generators::generator_spec kinds[] = {{.kind = graph_kind::kronecker, .scale = 18},
                                        {.kind = graph_kind::uniform, .scale = 18},
                                        {.kind = graph_kind::mesh2d, .width = 500, .height = 500}};
  generators::generator_spec& spec = kinds[kind];
  if (weighted) spec.weighted = true, spec.weight_low = 1, spec.weight_high = 255;
  return graph::distributed_graph(
      containers::symmetric<std::shared_ptr<graph::locale_graph>>::create_by([=, what = spec] {
        graph::build_options options;
        options.symmetrize = true;
        options.keep = keep;
        return graph::build(graph::read_input({"", what, ""}).value(), options).value();
      }));
}

template <bool Asynchronous, bool Improves>
void edges_of_components(benchmark::State& state) {
  using program_of = smallest_numbers<Asynchronous, Improves>;
  const graph::distributed_graph graph = made_for(state.range(0), forms_for<program_of>());
  for (auto _ : state) {
    program_of program;
    const run_report report = run(program, graph);
    state.SetIterationTime(report.seconds);
    state.counters["looks"] = static_cast<double>(report.edges) / static_cast<double>(graph.here().edges);
    state.counters["supersteps"] = report.supersteps;
    state.counters["pushed"] = report.pushed;
  }
  graph.destroy();
}
void on_each_graph(benchmark::internal::Benchmark* of) {
  of->Unit(benchmark::kMillisecond)->DenseRange(0, 2);
}
BENCHMARK(edges_of_components<false, false>)->UseManualTime()->Apply(on_each_graph);
BENCHMARK(edges_of_components<true, false>)->UseManualTime()->Apply(on_each_graph);
BENCHMARK(edges_of_components<true, true>)->UseManualTime()->Apply(on_each_graph);

// search(graph, source) returns the edges that a search examines. Sources have edges.
template <class Search>
void edges_of_searches(benchmark::State& state, graph::distributed_graph graph, Search search) {
  random_stream random(7);
  double looks = 0, searches = 0;
  for (auto _ : state) {
    std::uint64_t source = 0;
    do source = random.below(graph.here().own);
    while (graph.here().out_degree[source] == 0);
    looks += static_cast<double>(search(graph, source)) / static_cast<double>(graph.here().edges);
    ++searches;
  }
  state.counters["looks"] = looks / searches;
}

float width_of(graph::distributed_graph graph) {
  float width = 0;
  loops::on_all_cores([=, to = at_home(width)] {
    const float mine = algorithms::find_weight_facts(graph.here()).bin_width();
    if (my_core() == 0) *to = mine;
  });
  return width;
}

void edges_of_paths(benchmark::State& state) {
  const graph::distributed_graph graph = made_for(state.range(0), forms_for<path_lengths>(), true);
  const float width = width_of(graph);
  edges_of_searches(state, graph, [=](graph::distributed_graph on, std::uint64_t source) {
    path_lengths program{source, width};
    return run(program, on).edges;
  });
  graph.destroy();
}
BENCHMARK(edges_of_paths)->Apply(on_each_graph)->Iterations(8);

void edges_of_delta_stepping(benchmark::State& state) {
  const graph::distributed_graph graph = made_for(state.range(0), algorithms::shortest_paths_forms(), true);
  const float width = width_of(graph);
  edges_of_searches(state, graph, [=](graph::distributed_graph on, std::uint64_t source) {
    std::uint64_t edges = 0;
    loops::on_all_cores([=, to = at_home(edges)] {
      using array = machine::huge_array<float>;
      const std::size_t size = std::size_t{on.here().own} + on.here().mirrors;
      const auto distances =
          collectives::share_on_locale<array>([=] { return std::make_shared<array>(size); });
      const std::span lengths(distances->data(), size);
      algorithms::delta_stepping<float> stepping(on.here(), lengths, algorithms::path_lengths<float>(width));
      algorithms::begin_at(stepping, on.here(), lengths, source);
      while (stepping.step()) {
      }
      const std::uint64_t all = collectives::all_reduce(stepping.report().edges);
      if (my_core() == 0) *to = all;
    });
    return edges;
  });
  graph.destroy();
}
BENCHMARK(edges_of_delta_stepping)->Apply(on_each_graph)->Iterations(8);

}  // namespace
}  // namespace orujo::internal::gas
