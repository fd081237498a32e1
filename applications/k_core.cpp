// The core number of every vertex of an undirected graph.
#include <algorithm>
#include <span>
#include <vector>

#include "applications/harness/graph_harness.hpp"
#include "framework/algorithms/core_numbers.hpp"
#include "framework/verify/core_numbers_oracle.hpp"
#include "system/collectives/collectives.hpp"
#include "system/runtime/runtime.hpp"

namespace orujo {
namespace {

using algorithms::cores_report;
using core_property = graph::property<std::uint32_t>;

struct outcome {
  cores_report run;
  std::uint64_t innermost = 0;  // vertices that have the largest core number
};

std::vector<outcome> run_trials(graph::distributed_graph graph, core_property cores) {
  return loops::on_all_cores([=] {
    std::vector<outcome> found;
    const graph::locale_graph& g = graph.here();
    algorithms::core_numbers finder(g, cores.here());
    const std::span<const std::uint32_t> mine = g.my_part().of(cores.here());
    for (int trial = 0; trial < harness::trials(); ++trial) {
      const cores_report run = finder.run();
      const auto innermost = static_cast<std::uint64_t>(std::count(mine.begin(), mine.end(), run.largest));
      found.push_back({run, collectives::all_reduce(innermost)});
    }
    return found;
  });
}

status find_cores(const graph::loaded_graph& loaded, files::output_file& output, harness::report& report) {
  report.columns = {"core"};
  const auto cores = core_property::create(loaded.graph);
  for (const auto& [run, innermost] : run_trials(loaded.graph, cores)) {
    report.trials.push_back({run.seconds, run.levels, loaded.edges, {{"degeneracy", run.largest}}});
    harness::print("k_core: the largest core number is {}, of {}; {}, {:.4f} s\n", run.largest,
                   harness::counted(innermost, "vertex", "vertices"), harness::counted(run.levels, "level"),
                   run.seconds);
  }
  const status done =
      harness::report_values(loaded.graph, cores, "core numbers", verify::core_numbers, output, report);
  cores.destroy();
  return done;
}

status main_task() {
  if (status s = harness::require_symmetrize(); !s.ok()) return s;
  return harness::run_on_graph("k_core", {.in_vectors = false, .out_rows = true, .weights = false},
                               find_cores);
}

}  // namespace
}  // namespace orujo

int main(int argc, char** argv) {
  return orujo::run(
      argc, argv,
      "k_core: core number of every vertex: the largest k for which it belongs to a "
      "subgraph whose vertices all have k neighbours or more.\n\n"
      "  bin/orujo run k_core --generate=kronecker:18 --symmetrize --remove_self_loops --verify\n"
      "  bin/orujo run -n 2 k_core --graph=web.txt.gz --symmetrize --output=cores.txt",
      &orujo::main_task);
}
