// A minimum spanning forest of a graph.
#include "framework/algorithms/minimum_spanning_forest.hpp"

#include "applications/harness/edges.hpp"
#include "framework/verify/spanning_forest_oracle.hpp"
#include "system/runtime/runtime.hpp"

namespace orujo::internal {
namespace {

status run_trials(const graph::loaded_graph& loaded, files::output_file& output, harness::report& report) {
  for (int trial = 1;; ++trial) {
    const algorithms::spanning_forest found = algorithms::minimum_spanning_forest(loaded.graph);
    report.trials.push_back({found.seconds,
                             found.rounds,
                             loaded.edges,
                             {{"trees", found.trees},
                              {"edges", found.edges.size()},
                              {"weight", found.weight},
                              {"collected", found.collected}}});
    harness::print("minimum_spanning_forest: {}, {}, weight {}, {:.4f} s, {}\n",
                   harness::counted(found.trees, "tree"), harness::counted(found.edges.size(), "edge"),
                   found.weight, found.seconds, harness::counted(found.rounds, "round"));
    status done;
    if (trial == harness::trials())
      done = harness::report_edges(loaded.graph, found.edges, {"edges", "weight"},
                                   verify::minimum_spanning_forest, 0, output, report);
    found.edges.destroy();
    if (trial == harness::trials()) return done;
  }
}

status main_task() {
  return harness::run_on_graph("minimum_spanning_forest", algorithms::spanning_forest_forms, run_trials);
}

}  // namespace
}  // namespace orujo::internal

int main(int argc, char** argv) {
  return orujo::run(
      argc, argv,
      "minimum_spanning_forest: for each component a tree of edges whose weights have the least sum.\n\n"
      "  bin/orujo run minimum_spanning_forest --generate=kronecker:18:weights=1..255 --symmetrize --verify\n"
      "  bin/orujo run -n 2 minimum_spanning_forest --graph=roads.wel --output=forest.wel",
      &orujo::internal::main_task);
}
