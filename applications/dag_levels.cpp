// The levels of a directed acyclic graph: the generations of a topological order.
#include "framework/algorithms/dag_levels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "applications/harness/graph_harness.hpp"
#include "framework/gas/load.hpp"
#include "framework/verify/dag_oracle.hpp"
#include "system/runtime/runtime.hpp"

namespace orujo::internal {
namespace {

// Names the first vertices of a cycle.
status refuse_cycle(graph::distributed_graph graph, std::vector<std::uint64_t> cycle) {
  constexpr std::size_t most = 10;
  const std::size_t length = cycle.size();
  if (length > most) {
    cycle.resize(most);
  } else {
    cycle.push_back(cycle.front());
  }
  const auto labels = results::ordered_values<char>::create(
      graph, [](const graph::locale_graph&, std::uint32_t) { return char{}; });
  const results::vertex_labels of_cycle = labels.labels_of(cycle);
  labels.destroy();
  std::string path;
  for (std::size_t k = 0; k < cycle.size(); ++k)
    path += fmt::format("{}{}", k == 0 ? "" : " -> ", of_cycle.label(k));
  if (length > most) path += " -> ...";
  return {exit_status::bad_data, fmt::format("the graph has a cycle of {}: {}; remove an edge of it, or see "
                                             "strongly_connected_components --condensation",
                                             harness::counted(length, "edge"), path)};
}

// The oracle's levels, in the type of the result. A graph with a cycle does not come here.
std::vector<std::uint32_t> expected_levels(const verify::simple_graph& simple) {
  const auto found = verify::dag_levels(simple);
  return found ? std::vector<std::uint32_t>(found->begin(), found->end()) : std::vector<std::uint32_t>();
}

status run_trials(const graph::loaded_graph& loaded, files::output_file& output, harness::report& report) {
  report.columns = {"level"};
  const auto levels = graph::property<std::uint32_t>::create(loaded.graph);
  for (int trial = 0; trial < harness::trials(); ++trial) {
    const auto found = algorithms::dag_levels(loaded.graph, levels,
                                              {.maps = {.direction = steps::direction_options_from_flags(),
                                                        .edges = vectors::edge_loop_options_from_flags()}});
    if (!found.cycle.empty()) return refuse_cycle(loaded.graph, found.cycle);
    report.trials.push_back({found.seconds,
                             static_cast<int>(found.levels),
                             loaded.edges,
                             {{"levels", found.levels}, {"widest", found.widest}}});
    harness::print("dag_levels: {:.4f} s, {}, at most {} in one\n", found.seconds,
                   harness::counted(found.levels, "level"),
                   harness::counted(found.widest, "vertex", "vertices"));
  }
  const status done = harness::report_values(loaded.graph, levels, "levels", expected_levels, output, report);
  levels.destroy();
  return done;
}

status main_task() {
  return harness::run_on_graph("dag_levels", graph::without_weights(gas::forms_for_maps), run_trials);
}

}  // namespace
}  // namespace orujo::internal

int main(int argc, char** argv) {
  return orujo::run(
      argc, argv,
      "dag_levels: levels of a directed acyclic graph, the generations of a topological order.\n\n"
      "  bin/orujo run dag_levels --graph=packages.csv --names --output=levels.txt\n"
      "  bin/orujo run -n 2 dag_levels --generate=path:1000 --verify",
      &orujo::internal::main_task);
}
