// Breadth-first search as a vertex program and by edge maps beside the library's, from the same vertices.
//   bin/orujo bench -n 1 -c 2 --filter=search_
#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <optional>

#include "framework/algorithms/breadth_first_search.hpp"
#include "framework/gas/edge_map.hpp"
#include "framework/gas/load.hpp"
#include "framework/gas/run.hpp"
#include "framework/graph/build/build.hpp"
#include "framework/graph/property.hpp"
#include "framework/graph/vertex_map.hpp"
#include "system/base/random.hpp"
#include "system/collectives/collectives.hpp"
#include "system/loops/forall.hpp"
#include "tests/at_home.hpp"

namespace orujo::internal::gas {
namespace {

struct parents {
  using value = std::uint32_t;  // a vertex's number
  static constexpr auto combine = any{};
  using aggregate = nothing;
  template <class V>
  V gather(V shown, V) const {
    return shown;
  }
  bool starts(const vertex& v) const { return v.number() == source; }
  value start(const vertex& v, aggregate&) {
    found.here()[v.local] = any::identity<value>();
    return static_cast<value>(v.number());
  }
  bool apply(const vertex& v, value from, value& shown, aggregate&) {
    found.here()[v.local] = from;
    shown = static_cast<value>(v.number());
    return true;
  }
  property<std::uint32_t> found;
  std::uint64_t source;
};

// The same search by sources.
struct parents_by_sources {
  using value = source;
  static constexpr auto combine = any{};
  using aggregate = nothing;
  bool starts(const vertex& v) const { return v.number() == root; }
  void start(const vertex& v, aggregate&) { found[v] = any::identity<std::uint32_t>(); }
  bool apply(const vertex& v, const source& from, aggregate&) {
    found[v] = static_cast<std::uint32_t>(from.number());
    return true;
  }
  property<std::uint32_t> found;
  std::uint64_t root;
};

// The same without the parents: what a vertex shows is the result.
struct levels {
  using value = std::uint32_t;
  static constexpr auto combine = any{};
  using aggregate = nothing;
  template <class V>
  V gather(V level, V) const {
    return level + V{1};
  }
  bool starts(const vertex& v) const { return v.number() == source; }
  value start(const vertex&, aggregate&) { return 0; }
  bool apply(const vertex&, value level, value& shown, aggregate&) {
    shown = level;
    return true;
  }
  std::uint64_t source;
};

graph::distributed_graph made_graph(generators::generator_spec what) {
  return graph::distributed_graph(containers::symmetric<std::shared_ptr<graph::locale_graph>>::create_by([=] {
    graph::build_options options;
    options.symmetrize = true;
    options.keep = forms_for<parents>();
    return graph::build(graph::read_input({"", what, ""}).value(), options).value();
  }));
}

generators::generator_spec spec_of(std::int64_t kind) {
  if (kind == 0) return {.kind = generators::graph_kind::kronecker, .scale = 20};
  if (kind == 1) return {.kind = generators::graph_kind::uniform, .scale = 20};
  return {.kind = generators::graph_kind::mesh2d, .width = 1000, .height = 1000};
}

// search(graph, source) returns the seconds of a search that has reached others than the source, else 0.
template <class Search>
void searches(benchmark::State& state, graph::distributed_graph graph, Search search) {
  random_stream random(5);
  const std::uint64_t vertices = graph.here().vertices;
  while (search(graph, random.below(vertices)) == 0) {  // one that makes what all share, as rows of mirrors
  }
  for (auto _ : state) {
    double seconds = 0;
    while (seconds == 0) seconds = search(graph, random.below(vertices));
    state.SetIterationTime(seconds);
  }
}

template <class Program>
void search_for_parents(benchmark::State& state) {
  const graph::distributed_graph graph = made_graph(spec_of(state.range(0)));
  const auto found = property<std::uint32_t>::create(graph);
  searches(state, graph, [found](graph::distributed_graph on, std::uint64_t source) {
    Program program{found, source};
    const run_report report = run(program, on);
    return report.supersteps > 2 ? report.seconds : 0;
  });
  found.destroy();
  graph.destroy();
}
void search_of_a_program(benchmark::State& state) { search_for_parents<parents>(state); }
BENCHMARK(search_of_a_program)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond)
    ->DenseRange(0, 2)
    ->Iterations(16);

void search_by_program_of_sources(benchmark::State& state) { search_for_parents<parents_by_sources>(state); }
BENCHMARK(search_by_program_of_sources)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond)
    ->DenseRange(0, 2)
    ->Iterations(16);

struct finding_parents {
  using value = std::uint32_t;
  static constexpr auto combine = any{};
  value show(const vertex& v) const { return static_cast<value>(v.number()); }
  bool visit(const vertex& v, value from) {
    found[v] = from;
    return true;
  }
  property<std::uint32_t> found;
};

struct finding_parents_of_who_wants : finding_parents {
  bool wants(const vertex& v) const { return found[v] == any::identity<value>(); }
};

void search_by_edge_maps_that_ask(benchmark::State& state) {
  const graph::distributed_graph graph = made_graph(spec_of(state.range(0)));
  const auto found = property<std::uint32_t>::create(graph);
  searches(state, graph, [found](graph::distributed_graph on, std::uint64_t source) {
    const auto begin = std::chrono::steady_clock::now();
    loops::on_all_cores(
        [=] { std::ranges::fill(on.here().my_part().of(found.here()), any::identity<std::uint32_t>()); });
    vertex_set frontier = vertex_set::of(on, {source});
    vertex_map(frontier, [=](const vertex& v) { found[v] = static_cast<std::uint32_t>(source); });
    int levels = 0;
    for (; !frontier.empty(); ++levels) frontier = edge_map(frontier, finding_parents_of_who_wants{{found}});
    return levels > 2 ? std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count() : 0;
  });
  found.destroy();
  graph.destroy();
}
BENCHMARK(search_by_edge_maps_that_ask)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond)
    ->DenseRange(0, 2)
    ->Iterations(16);

struct finding_sources {
  using value = source;
  static constexpr auto combine = any{};
  bool visit(const vertex& v, const value& from) {
    found[v] = static_cast<std::uint32_t>(from.number());
    return true;
  }
  property<std::uint32_t> found;
};

template <class Visitor>
void search_out_of_unseen(benchmark::State& state) {
  const graph::distributed_graph graph = made_graph(spec_of(state.range(0)));
  const auto found = property<std::uint32_t>::create(graph);
  searches(state, graph, [found](graph::distributed_graph on, std::uint64_t source) {
    const auto begin = std::chrono::steady_clock::now();
    loops::on_all_cores(
        [=] { std::ranges::fill(on.here().my_part().of(found.here()), any::identity<std::uint32_t>()); });
    vertex_set frontier = vertex_set::of(on, {source});
    vertex_set unseen = subtract(vertex_set::all(on), frontier);
    vertex_map(frontier, [=](const vertex& v) { found[v] = static_cast<std::uint32_t>(source); });
    int levels = 0;
    for (; !frontier.empty(); ++levels) frontier = edge_map(frontier, Visitor{found}, {.out_of = &unseen});
    return levels > 2 ? std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count() : 0;
  });
  found.destroy();
  graph.destroy();
}
void search_by_edge_maps(benchmark::State& state) { search_out_of_unseen<finding_parents>(state); }
BENCHMARK(search_by_edge_maps)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond)
    ->DenseRange(0, 2)
    ->Iterations(16);

void search_by_edge_maps_of_sources(benchmark::State& state) { search_out_of_unseen<finding_sources>(state); }
BENCHMARK(search_by_edge_maps_of_sources)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond)
    ->DenseRange(0, 2)
    ->Iterations(16);

void search_of_a_program_for_levels(benchmark::State& state) {
  const graph::distributed_graph graph = made_graph(spec_of(state.range(0)));
  searches(state, graph, [](graph::distributed_graph on, std::uint64_t source) {
    levels program{source};
    const run_report report = run(program, on);
    return report.supersteps > 2 ? report.seconds : 0;
  });
  graph.destroy();
}
BENCHMARK(search_of_a_program_for_levels)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond)
    ->DenseRange(0, 2)
    ->Iterations(16);

void search_of_the_library(benchmark::State& state) {
  using algorithms::breadth_first_search;
  const graph::distributed_graph graph = made_graph(spec_of(state.range(0)));
  const auto made = containers::symmetric<std::shared_ptr<breadth_first_search>>::create_by(
      [=] { return std::make_shared<breadth_first_search>(graph.here()); });
  searches(state, graph, [made](graph::distributed_graph, std::uint64_t source) {
    double seconds = 0;
    loops::on_all_cores([=, to = at_home(seconds)] {
      const algorithms::search_report report = made.here()->run(source);
      if (my_core() == 0) *to = report.levels > 2 ? report.seconds : 0;
    });
    return seconds;
  });
  made.destroy();
  graph.destroy();
}
BENCHMARK(search_of_the_library)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond)
    ->DenseRange(0, 2)
    ->Iterations(16);

}  // namespace
}  // namespace orujo::internal::gas
