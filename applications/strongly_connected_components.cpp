// The strongly connected components of a graph; of undirected ones the connected components.
#include "framework/algorithms/strongly_connected_components.hpp"

#include <gflags/gflags.h>

#include <optional>

#include "applications/harness/edges.hpp"
#include "applications/harness/graph_harness.hpp"
#include "applications/harness/groups.hpp"
#include "framework/algorithms/condensation.hpp"
#include "framework/gas/load.hpp"
#include "framework/verify/strong_components_oracle.hpp"
#include "system/base/flags.hpp"
#include "system/files/file_flags.hpp"
#include "system/runtime/runtime.hpp"

DEFINE_string(
    condensation, "",
    "file for the edges between components: the smallest vertex of each component, and the number of "
    "edges; formats as of --output");

namespace orujo::internal {
namespace {

const base::telling_flags told_to_file{"condensation"};
const files::file_flag written_condensation("condensation", files::file_flag::written);

// Writes the edges between components, and with --verify compares them, too.
status report_condensation(const graph::loaded_graph& loaded, graph::property<std::uint64_t> labels,
                           files::output_file& output, harness::report& report) {
  if (!output.wanted()) return {};
  const auto edges = algorithms::condensation(loaded.graph, labels);
  harness::print("condensation: {} between components\n", harness::counted(edges.size(), "edge"));
  report.further["condensation_edges"] = edges.size();
  const std::optional<bool> labels_are_right = report.verified;
  const status done = harness::report_edges(
      loaded.graph, edges, {"edges between components", "edges", results::row_format_of(FLAGS_condensation)},
      verify::condensation, 0, output, report);
  if (labels_are_right == false) report.verified = false;
  edges.destroy();
  return done;
}

status run_trials(const graph::loaded_graph& loaded, files::output_file& output, harness::report& report) {
  if (results::row_format_of(FLAGS_condensation) == results::row_format::npy && loaded.graph.here().names)
    return {exit_status::usage, FLAGS_condensation +
                                    ": .npy output requires integer ids, and this graph has names; write a "
                                    ".csv"};
  auto condensation = files::output_file::open(FLAGS_condensation);
  if (!condensation.ok()) return condensation.status();
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
  status done = harness::report_groups(
      loaded.graph, labels, {"components", "smallest vertex"},
      [](const verify::simple_graph& simple) { return verify::strongly_connected_components(simple); },
      output, report);
  if (done.ok()) done = report_condensation(loaded, labels, condensation.value(), report);
  labels.destroy();
  return done;
}

status main_task() {
  return harness::run_on_graph("strongly_connected_components", graph::without_weights(gas::forms_for_maps),
                               run_trials);
}

}  // namespace
}  // namespace orujo::internal

int main(int argc, char** argv) {
  return orujo::run(
      argc, argv,
      "strongly_connected_components: strongly connected components of a directed graph; connected "
      "components of an undirected one.\n\n"
      "  bin/orujo run strongly_connected_components --generate=kronecker:18 --verify\n"
      "  bin/orujo run -n 2 strongly_connected_components --graph=web.txt.gz --output=components.txt "
      "--condensation=between.txt",
      &orujo::internal::main_task);
}
