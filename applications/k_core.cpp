// The core number of every vertex of an undirected graph.
#include <algorithm>

#include "applications/harness/graph_harness.hpp"
#include "framework/algorithms/core_numbers.hpp"
#include "framework/verify/core_numbers_oracle.hpp"
#include "system/loops/collectives.hpp"
#include "system/runtime/runtime.hpp"

namespace orujo {
namespace {

struct outcome {
  gas::run_report run;
  std::uint32_t degeneracy;  // the largest core number,
  std::uint64_t innermost;   // and how many vertices have it
};

outcome find_cores(graph::distributed_graph graph, gas::property<std::uint32_t> cores) {
  outcome of_core_0{};
  loops::on_all_cores([=, to = &of_core_0] {
    algorithms::core_numbers program(cores.here());
    const gas::run_report run =
        gas::run(program, graph.here(), {.edges = engine::edge_loop_options_from_flags()});
    outcome mine{run, 0, 0};
    for (const std::uint32_t k : graph.here().my_part().of(cores.here())) {
      if (k > mine.degeneracy) mine = {run, k, 0};
      mine.innermost += k == mine.degeneracy ? 1 : 0;
    }
    const outcome all = loops::all_reduce(mine, [](const outcome& a, const outcome& b) {
      if (a.degeneracy != b.degeneracy) return a.degeneracy > b.degeneracy ? a : b;
      return outcome{a.run, a.degeneracy, a.innermost + b.innermost};
    });
    if (my_core() == 0) *to = all;
  });
  return of_core_0;
}

status run_trials(const graph::loaded_graph& loaded, output_file& output, harness::report& report) {
  const auto cores = gas::property<std::uint32_t>::create(loaded.graph);
  for (int trial = 0; trial < harness::trials(); ++trial) {
    const outcome found = find_cores(loaded.graph, cores);
    const auto edges = loaded.edges * static_cast<std::uint64_t>(found.run.supersteps);
    report.trials.push_back(
        {found.run.seconds, found.run.supersteps, edges, {{"degeneracy", found.degeneracy}}});
    harness::print("k_core: the largest core number is {}, of {} vertices; {}, {:.4f} s\n", found.degeneracy,
                   harness::grouped(found.innermost), harness::counted(found.run.supersteps, "iteration"),
                   found.run.seconds);
  }
  const status done =
      harness::report_values(loaded.graph, cores, "core numbers", verify::core_numbers, output, report);
  cores.destroy();
  return done;
}

status main_task() {
  if (status s = harness::wants_symmetrize("k_core"); !s.ok()) return s;
  return harness::run_on_graph("k_core", {.in_vectors = false, .in_rows = true}, run_trials);
}

}  // namespace
}  // namespace orujo

int main(int argc, char** argv) {
  return orujo::run(
      argc, argv,
      "k_core: the core number of every vertex: the largest k such that it belongs to a "
      "subgraph in which every vertex has k neighbours or more.\n\n"
      "  bin/orujo run k_core --generate=kronecker:18 --symmetrize --remove_self_loops --verify\n"
      "  bin/orujo run -n 2 k_core --graph=web.txt.gz --symmetrize --output=cores.txt",
      &orujo::main_task);
}
