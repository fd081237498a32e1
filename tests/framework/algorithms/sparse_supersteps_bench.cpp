// Supersteps with hardly an active vertex: a mesh of two columns, from its first row. Beside them what the
// least of a superstep is, a reduction (tests/system/collectives/collectives_bench.cpp has MPI's).
//   bin/orujo bench -n 2 -c 1 --filter='supersteps|all_reduces'
#include <benchmark/benchmark.h>

#include "framework/algorithms/breadth_first_search.hpp"
#include "framework/algorithms/shortest_paths.hpp"
#include "framework/graph/build/build.hpp"
#include "system/collectives/collectives.hpp"
#include "system/loops/forall.hpp"
#include "tests/at_home.hpp"

namespace orujo::internal::algorithms {
namespace {

constexpr std::uint64_t rows = 5'000;

// run(graph, how many supersteps) is called at every core and returns the seconds of one search.
template <class Run>
void sparse_supersteps(benchmark::State& state, const graph::edge_forms& keep, const Run& run) {
  const generators::generator_spec mesh{.kind = generators::graph_kind::mesh2d, .width = 2, .height = rows};
  const graph::distributed_graph graph(
      containers::symmetric<std::shared_ptr<graph::locale_graph>>::create_by([=] {
        graph::build_options options;
        options.symmetrize = true;
        options.keep = keep;
        return graph::build(graph::read_input({"", mesh, ""}).value(), options).value();
      }));
  double supersteps = 0;
  for (auto _ : state) {
    struct {
      double seconds, supersteps;
    } one{};
    loops::on_all_cores([=, to = at_home(one)] {
      int mine = 0;
      const double seconds = run(graph.here(), mine);
      if (my_core() == 0) *to = {seconds, static_cast<double>(mine)};
    });
    state.SetIterationTime(one.seconds);
    supersteps += one.supersteps;
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(supersteps));
  graph.destroy();
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

}  // namespace
}  // namespace orujo::internal::algorithms
