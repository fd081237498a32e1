// Supersteps with hardly an active vertex: a mesh of two columns, from its first row. By the library, by
// programs and by edge maps; beside them what the least of a superstep is, a reduction
// (tests/system/collectives/collectives_bench.cpp has MPI's).
//   bin/orujo bench -n 2 -c 1 --filter='supersteps|all_reduces'
#include <benchmark/benchmark.h>

#include "framework/algorithms/breadth_first_search.hpp"
#include "framework/algorithms/shortest_paths.hpp"
#include "framework/gas/edge_map.hpp"
#include "framework/gas/load.hpp"
#include "framework/gas/run.hpp"
#include "framework/graph/build/build.hpp"
#include "system/base/lap_clock.hpp"
#include "system/collectives/collectives.hpp"
#include "system/loops/forall.hpp"
#include "tests/at_home.hpp"

namespace orujo::internal::algorithms {
namespace {

constexpr std::uint64_t rows = 5'000;

graph::distributed_graph mesh_that_keeps(const graph::edge_forms& keep) {
  const generators::generator_spec mesh{.kind = generators::graph_kind::mesh2d, .width = 2, .height = rows};
  return graph::distributed_graph(containers::symmetric<std::shared_ptr<graph::locale_graph>>::create_by([=] {
    graph::build_options options;
    options.symmetrize = true;
    options.keep = keep;
    return graph::build(graph::read_input({"", mesh, ""}).value(), options).value();
  }));
}

// run(graph, how many supersteps) is called by one task and returns the seconds of one search.
template <class Run>
void searches_of(benchmark::State& state, graph::distributed_graph graph, const Run& run) {
  double supersteps = 0;
  for (auto _ : state) {
    int taken = 0;
    state.SetIterationTime(run(graph, taken));
    supersteps += taken;
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(supersteps));
  graph.destroy();
}

// run(graph, how many supersteps) is called at every core.
template <class Run>
void sparse_supersteps(benchmark::State& state, const graph::edge_forms& keep, const Run& run) {
  searches_of(state, mesh_that_keeps(keep), [&run](graph::distributed_graph graph, int& taken) {
    struct {
      double seconds;
      int supersteps;
    } one{};
    loops::on_all_cores([=, to = at_home(one)] {
      int mine = 0;
      const double seconds = run(graph.here(), mine);
      if (my_core() == 0) *to = {seconds, mine};
    });
    taken = one.supersteps;
    return one.seconds;
  });
}

void supersteps_of_shortest_paths(benchmark::State& state) {
  graph::edge_forms keep = shortest_paths_forms();
  sparse_supersteps(state, keep, [](graph::locale_graph& g, int& supersteps) {
    const paths_report report = shortest_paths(g).run(0);
    supersteps = report.rounds;
    return report.seconds;
  });
}
BENCHMARK(supersteps_of_shortest_paths)->UseManualTime()->Iterations(20);

void supersteps_of_breadth_first_search(benchmark::State& state) {
  sparse_supersteps(state, {.in_vectors = false, .in_rows = true, .out_rows = true},
                    [](graph::locale_graph& g, int& supersteps) {
                      breadth_first_search search(g, {steps::direction::push});
                      const search_report report = search.run(0);
                      supersteps = report.levels;
                      return report.seconds;
                    });
}
BENCHMARK(supersteps_of_breadth_first_search)->UseManualTime()->Iterations(20);

struct reached {
  using value = graph::source;
  static constexpr auto combine = gas::any{};
  using aggregate = gas::nothing;
  bool starts(const graph::vertex& v) const { return v.number() == 0; }
  bool apply(const graph::vertex&, const graph::source&, aggregate&) const { return true; }
};
struct hops {
  static constexpr bool incremental = true;
  using value = std::uint32_t;
  static constexpr auto combine = gas::minimum{};
  using aggregate = gas::nothing;
  template <class V>
  V gather(V shown, V) const {
    return shown + V(1);
  }
  bool starts(const graph::vertex& v) const { return v.number() == 0; }
  value start(const graph::vertex& v, aggregate&) const { return starts(v) ? 0 : 1'000'000; }
  bool apply(const graph::vertex&, value total, value& shown, aggregate&) const {
    if (total >= shown) return false;
    shown = total;
    return true;
  }
};
template <class Program>
double run_program(graph::distributed_graph graph, int& supersteps) {
  Program program;
  const gas::run_report report = gas::run(program, graph, {.direction = {steps::direction::push}});
  supersteps = report.supersteps;
  return report.seconds;
}

void supersteps_of_a_program_that_searches(benchmark::State& state) {
  searches_of(state, mesh_that_keeps(gas::forms_for<reached>()), run_program<reached>);
}
BENCHMARK(supersteps_of_a_program_that_searches)->UseManualTime()->Iterations(20);

void supersteps_of_a_program_that_pushes(benchmark::State& state) {
  searches_of(state, mesh_that_keeps(gas::forms_for<hops>()), run_program<hops>);
}
BENCHMARK(supersteps_of_a_program_that_pushes)->UseManualTime()->Iterations(20);

struct visited {
  using value = graph::source;
  static constexpr auto combine = gas::any{};
  bool visit(const graph::vertex&, const graph::source&) const { return true; }
};
void steps_of_edge_maps(benchmark::State& state) {
  searches_of(state, mesh_that_keeps(gas::forms_for_maps), [](graph::distributed_graph graph, int& taken) {
    graph::vertex_set frontier = graph::vertex_set::of(graph, {0});
    graph::vertex_set unseen = subtract(graph::vertex_set::all(graph), frontier);
    base::lap_clock clock;
    for (; !frontier.empty(); ++taken)
      frontier =
          gas::edge_map(frontier, visited{}, {.direction = {steps::direction::push}, .out_of = &unseen});
    return clock.lap();
  });
}
BENCHMARK(steps_of_edge_maps)->UseManualTime()->Iterations(20);

}  // namespace
}  // namespace orujo::internal::algorithms
