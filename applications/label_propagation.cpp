// Communities of a graph by label propagation.
#include "framework/algorithms/label_propagation.hpp"

#include <gflags/gflags.h>

#include <limits>

#include "applications/harness/graph_harness.hpp"
#include "applications/harness/groups.hpp"
#include "framework/gas/load.hpp"
#include "framework/verify/label_propagation_oracle.hpp"
#include "system/base/flags.hpp"
#include "system/runtime/runtime.hpp"

DEFINE_int32(iterations, 10, "maximum number of iterations; stops early when no label changes");
DEFINE_bool(
    weighted, false,
    "take the label whose edges have the largest sum of weights, which must not be negative, instead of "
    "the most frequent label");

namespace orujo::internal {
namespace {

const flag_rule iterations_rule(
    "iterations", [] { return FLAGS_iterations >= 0; }, "at least 0");

struct outcome {
  gas::run_report run;
  std::uint64_t changes;  // in the last iteration
};

template <bool Weighted, class Label>
outcome propagate(graph::distributed_graph graph, graph::property<Label> labels) {
  return loops::on_all_cores([=] {
    algorithms::label_propagation<Label, Weighted> program(graph.here(), labels.here(), FLAGS_iterations);
    const gas::run_report run = gas::run(program, graph.here(),
                                         {.edges = vectors::edge_loop_options_from_flags(),
                                          .direction = steps::direction_options_from_flags()});
    return outcome{run, program.changes};
  });
}

template <class Label>
status find_communities(const graph::loaded_graph& loaded, files::output_file& output,
                        harness::report& report) {
  const auto labels = graph::property<Label>::create(loaded.graph);
  for (int trial = 0; trial < harness::trials(); ++trial) {
    const outcome found =
        FLAGS_weighted ? propagate<true>(loaded.graph, labels) : propagate<false>(loaded.graph, labels);
    const gas::run_report& run = found.run;
    const auto edges = loaded.edges * static_cast<std::uint64_t>(run.supersteps);
    report.trials.push_back({run.seconds, run.supersteps, edges});
    harness::print("label_propagation: {}, {:.4f} s, {} edges/s\n",
                   harness::counted(run.supersteps, "iteration"), run.seconds,
                   harness::engineering(static_cast<double>(edges) / run.seconds));
    if (run.supersteps == FLAGS_iterations && found.changes > 0)
      harness::print("not converged: {} changed in the last iteration\n",
                     harness::counted(found.changes, "label"));
  }
  const status done = harness::report_groups(
      loaded.graph, labels, {.groups = "communities", .label = "label", .weighted = FLAGS_weighted},
      [](const verify::simple_graph& simple) {
        return verify::label_propagation(simple, FLAGS_iterations, FLAGS_weighted);
      },
      output, report);
  labels.destroy();
  return done;
}

status main_task() {
  graph::edge_forms forms = gas::forms_for<algorithms::label_propagation<std::uint32_t>>();
  forms.weights = forms.non_negative_weights = FLAGS_weighted;
  return harness::run_on_graph(
      "label_propagation", forms,
      [](const graph::loaded_graph& loaded, files::output_file& output, harness::report& report) -> status {
        if (FLAGS_weighted) {
          if (status s = harness::require_weights(loaded); !s.ok()) return s;
        }
        return loaded.vertices <= std::numeric_limits<std::uint32_t>::max()
                   ? find_communities<std::uint32_t>(loaded, output, report)
                   : find_communities<std::uint64_t>(loaded, output, report);
      });
}

}  // namespace
}  // namespace orujo::internal

int main(int argc, char** argv) {
  return orujo::run(
      argc, argv,
      "label_propagation: communities of a graph, by label propagation: every vertex takes the most frequent "
      "label of its neighbours.\n\n"
      "  bin/orujo run label_propagation --generate=kronecker:18 --symmetrize --verify\n"
      "  bin/orujo run -n 2 label_propagation --graph=friends.txt.gz --symmetrize "
      "--output=communities.txt",
      &orujo::internal::main_task);
}
