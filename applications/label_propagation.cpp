// Communities of a graph by label propagation.
#include "framework/algorithms/label_propagation.hpp"

#include <gflags/gflags.h>

#include <algorithm>
#include <limits>
#include <unordered_map>

#include "applications/harness/graph_harness.hpp"
#include "applications/harness/top.hpp"
#include "framework/gas/load.hpp"
#include "framework/verify/label_propagation_oracle.hpp"
#include "system/base/flags.hpp"
#include "system/runtime/runtime.hpp"

DEFINE_int32(iterations, 10, "at most; fewer if no label changes any more");

namespace orujo {
namespace {

const flag_rule iterations_rule(
    "iterations", [] { return FLAGS_iterations >= 0; }, "at least 0");

struct outcome {
  gas::run_report run;
  std::uint64_t changes;  // in the last iteration
};

template <class Label>
outcome propagate(graph::distributed_graph graph, gas::property<Label> labels) {
  outcome of_core_0{};
  loops::on_all_cores([=, to = &of_core_0] {
    algorithms::label_propagation<Label> program(graph.here(), labels.here(), FLAGS_iterations);
    const gas::run_report run = gas::run(program, graph.here(),
                                         {.edges = engine::edge_loop_options_from_flags(),
                                          .direction = engine::direction_options_from_flags()});
    if (my_core() == 0) *to = {run, program.changes};
  });
  return of_core_0;
}

// labels: places among the vertices.
void print_largest(const results::vertex_labels& vertices, const std::vector<std::uint64_t>& labels) {
  struct community {
    std::uint64_t label, size;
  };
  std::unordered_map<std::uint64_t, std::uint64_t> sizes;
  for (const std::uint64_t label : labels) ++sizes[label];
  harness::print("communities: {}\n", harness::grouped(sizes.size()));
  std::vector<community> all, best(std::min(sizes.size(), static_cast<std::size_t>(harness::top())));
  for (const auto& [label, size] : sizes) all.push_back({label, size});
  std::partial_sort_copy(all.begin(), all.end(), best.begin(), best.end(),
                         [](const community& a, const community& b) {
                           return a.size != b.size ? a.size > b.size : a.label < b.label;
                         });
  if (best.empty()) return;
  harness::print("\n  place  {:>20}  vertices\n", "label");
  for (std::size_t k = 0; k < best.size(); ++k)
    harness::print("  {:>5}  {:>20}  {}\n", k + 1, vertices.label(best[k].label),
                   harness::grouped(best[k].size));
}

template <class Label>
status report_labels(graph::distributed_graph graph, gas::property<Label> property, output_file& output,
                     harness::report& report) {
  results::vertex_labels vertices;
  std::vector<std::uint64_t> labels;
  results::visit_vertices(graph, property, [&](const results::vertex_values<Label>& part) {
    vertices.append(part);
    labels.insert(labels.end(), part.values.begin(), part.values.end());
  });
  print_largest(vertices, labels);
  if (output.wanted()) {
    harness::row_writer rows(output, {results::column_of<std::uint64_t>("label")}, labels.size());
    for (std::size_t v = 0; v < labels.size(); ++v)
      rows.vertex(vertices.label(v)).label(vertices.label(labels[v])).end();
  }
  if (status written = output.finish(); !written.ok()) return written;
  if (!harness::verify()) return {};
  const auto simple = harness::serial_graph();
  if (!simple.ok()) return simple.status();
  verify::value_comparison<std::uint64_t> check("labels", simple.value().ids(),
                                                verify::label_propagation(simple.value(), FLAGS_iterations));
  for (std::size_t v = 0; v < labels.size(); ++v) check.add(vertices.ids[v], vertices.ids[labels[v]]);
  harness::tell_verdict(check, report);
  return {};
}

template <class Label>
status find_communities(const graph::loaded_graph& loaded, output_file& output, harness::report& report) {
  const auto labels = gas::property<Label>::create(loaded.graph);
  for (int trial = 0; trial < harness::trials(); ++trial) {
    const outcome found = propagate(loaded.graph, labels);
    const gas::run_report& run = found.run;
    const auto edges = loaded.edges * static_cast<std::uint64_t>(run.supersteps);
    report.trials.push_back({run.seconds, run.supersteps, edges});
    harness::print("label_propagation: {}, {:.4f} s, {} edges/s\n",
                   harness::counted(run.supersteps, "iteration"), run.seconds,
                   harness::engineering(static_cast<double>(edges) / run.seconds));
    if (run.supersteps == FLAGS_iterations && found.changes > 0)
      harness::print("not converged: {} labels changed in the last iteration\n",
                     harness::grouped(found.changes));
  }
  const status done = report_labels(loaded.graph, labels, output, report);
  labels.destroy();
  return done;
}

status main_task() {
  return harness::run_on_graph(
      "label_propagation",
      graph::without_weights(gas::forms_for<algorithms::label_propagation<std::uint32_t>>()),
      [](const graph::loaded_graph& loaded, output_file& output, harness::report& report) {
        return loaded.vertices <= std::numeric_limits<std::uint32_t>::max()
                   ? find_communities<std::uint32_t>(loaded, output, report)
                   : find_communities<std::uint64_t>(loaded, output, report);
      });
}

}  // namespace
}  // namespace orujo

int main(int argc, char** argv) {
  return orujo::run(
      argc, argv,
      "label_propagation: communities of a graph: every vertex takes the label that most of its "
      "neighbours have.\n\n"
      "  bin/orujo run label_propagation --generate=kronecker:18 --symmetrize --verify\n"
      "  bin/orujo run -n 2 label_propagation --graph=friends.txt.gz --symmetrize "
      "--output=communities.txt",
      &orujo::main_task);
}
