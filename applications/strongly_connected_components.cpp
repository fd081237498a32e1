// The strongly connected components of a graph; of undirected ones the connected components.
#include "framework/algorithms/strongly_connected_components.hpp"

#include "applications/harness/graph_harness.hpp"
#include "applications/harness/groups.hpp"
#include "framework/gas/load.hpp"
#include "framework/verify/strong_components_oracle.hpp"
#include "system/runtime/runtime.hpp"

namespace orujo {
namespace {

status run_trials(const graph::loaded_graph& loaded, base::output_file& output, harness::report& report) {
  const auto labels = graph::property<std::uint64_t>::create(loaded.graph);
  for (int trial = 0; trial < harness::trials(); ++trial) {
    const auto found = algorithms::strongly_connected_components(
        loaded.graph, labels,
        {.maps = {.direction = steps::direction_options_from_flags(),
                  .edges = vectors::edge_loop_options_from_flags()}});
    report.trials.push_back(
        {found.seconds, found.steps, loaded.edges, {{"trimmed", found.trimmed}, {"serial", found.serial}}});
    harness::print("strongly_connected_components: {:.4f} s, {}, {} trimmed, {} serially\n", found.seconds,
                   harness::counted(found.steps, "step"),
                   harness::counted(found.trimmed, "vertex", "vertices"), harness::grouped(found.serial));
  }
  const status done = harness::report_groups(
      loaded.graph, labels, {"components", "smallest vertex"},
      [](const verify::simple_graph& simple) { return verify::strongly_connected_components(simple); },
      output, report);
  labels.destroy();
  return done;
}

status main_task() {
  return harness::run_on_graph("strongly_connected_components", graph::without_weights(gas::forms_for_maps),
                               run_trials);
}

}  // namespace
}  // namespace orujo

int main(int argc, char** argv) {
  return orujo::run(
      argc, argv,
      "strongly_connected_components: strongly connected components of a directed graph; connected "
      "components of an undirected one.\n\n"
      "  bin/orujo run strongly_connected_components --generate=kronecker:18 --verify\n"
      "  bin/orujo run -n 2 strongly_connected_components --graph=web.txt.gz --output=components.txt",
      &orujo::main_task);
}
