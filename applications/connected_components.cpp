// The connected components of a graph; of directed ones the weak components.
#include "framework/algorithms/connected_components.hpp"

#include <algorithm>
#include <limits>
#include <span>
#include <vector>

#include "applications/harness/graph_harness.hpp"
#include "applications/harness/groups.hpp"
#include "applications/harness/joined_updates.hpp"
#include "framework/verify/connected_components_oracle.hpp"
#include "system/containers/flat_table.hpp"
#include "system/containers/global_array.hpp"
#include "system/delegates/completion_event.hpp"
#include "system/runtime/runtime.hpp"

namespace orujo::internal {
namespace {

using algorithms::components_report;

template <class Label>
std::vector<components_report> run_trials(graph::distributed_graph graph, graph::property<Label> labels) {
  return loops::on_all_cores([=] {
    algorithms::connected_components<Label> finder(graph.here(), labels.here());
    std::vector<components_report> reports;
    for (int trial = 0; trial < harness::trials(); ++trial) reports.push_back(finder.run());
    return reports;
  });
}

// Replaces each label of the calling core's vertices by replacements[label], some at a time.
template <class Label>
void replace_here(const graph::locale_graph& g, std::span<Label> labels,
                  containers::global_array<Label> replacements) {
  constexpr std::size_t labels_at_a_time = 16384;
  const std::span<Label> mine = labels.subspan(g.my_part().first, g.my_part().last - g.my_part().first);
  containers::flat_table<Label, Label> found;
  for (std::size_t first = 0; first < mine.size(); first += labels_at_a_time) {
    const auto some = mine.subspan(first, std::min(labels_at_a_time, mine.size() - first));
    found.clear();
    for (const Label label : some) found.find_or_insert(label);
    delegates::completion_event read;
    for (std::size_t slot = 0; slot < found.slots(); ++slot) {
      found.visit_slot(
          slot, [&](Label label, Label& to) { delegates::async_read(read.ref(), replacements[label], &to); });
    }
    read.wait();
    for (Label& label : some) label = *found.find(label);
  }
}

// Replaces each component's smallest vertex number by the smallest position of its vertices. With the layout
// by ranges both are the same. Takes a label per vertex.
template <class Label>
void call_by_positions(graph::distributed_graph graph, graph::property<Label> labels) {
  if (graph.here().numbers.is_identity()) return;
  const auto smallest =
      containers::global_array<Label>::create(graph.here().vertices, std::numeric_limits<Label>::max());
  delegates::completion_event told;
  loops::on_all_cores([=, event = told.ref()] {
    const graph::locale_graph& g = graph.here();
    harness::joined_updates positions(event, smallest, [](Label a, Label b) { return std::min(a, b); });
    for (std::uint32_t v = g.my_part().first; v < g.my_part().last; ++v)
      positions.tell(labels.here()[v], static_cast<Label>(g.position_of(v)));
    positions.flush();
  });
  told.wait();
  loops::on_all_cores([=] { replace_here(graph.here(), labels.here(), smallest); });
  smallest.destroy();
}

template <class Label>
status find_components(const graph::loaded_graph& loaded, files::output_file& output,
                       harness::report& report) {
  const auto labels = graph::property<Label>::create(loaded.graph);
  for (const components_report& trial : run_trials(loaded.graph, labels)) {
    report.trials.push_back({trial.seconds, trial.exchanges, loaded.edges});
    harness::print("connected_components: {:.4f} s, {}\n", trial.seconds,
                   harness::counted(trial.exchanges, "exchange"));
  }
  call_by_positions(loaded.graph, labels);
  const status done = harness::report_groups(
      loaded.graph, labels, {"components", "smallest vertex"},
      [](const verify::simple_graph& simple) { return verify::connected_components(simple); }, output,
      report);
  labels.destroy();
  return done;
}

status main_task() {
  return harness::run_on_graph(
      "connected_components", algorithms::connected_components_forms,
      [](const graph::loaded_graph& loaded, files::output_file& output, harness::report& report) {
        return loaded.vertices < std::numeric_limits<std::uint32_t>::max()
                   ? find_components<std::uint32_t>(loaded, output, report)
                   : find_components<std::uint64_t>(loaded, output, report);
      });
}

}  // namespace
}  // namespace orujo::internal

int main(int argc, char** argv) {
  return orujo::run(argc, argv,
                    "connected_components: connected components of a graph; weak components of a "
                    "directed graph, with or without --symmetrize.\n\n"
                    "  bin/orujo run connected_components --generate=kronecker:18 --verify\n"
                    "  bin/orujo run -n 2 connected_components --graph=web.txt.gz --output=components.txt",
                    &orujo::internal::main_task);
}
