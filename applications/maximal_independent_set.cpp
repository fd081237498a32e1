// A maximal independent set of an undirected graph.
#include "framework/algorithms/maximal_independent_set.hpp"

#include <gflags/gflags.h>

#include <algorithm>

#include "applications/harness/graph_harness.hpp"
#include "framework/gas/load.hpp"
#include "framework/verify/independent_set_oracle.hpp"
#include "system/delegates/call_on_all.hpp"
#include "system/runtime/runtime.hpp"

DEFINE_uint64(seed, 1, "of the order in which vertices are taken");

namespace orujo {
namespace {

using algorithms::maximal_independent_set;

std::uint64_t size_of(graph::distributed_graph graph, gas::property<std::uint32_t> decided) {
  return delegates::sum_of_all([=] {
    const auto mine = graph.here().my_part().of(decided.here());
    return static_cast<std::uint64_t>(std::ranges::count(mine, maximal_independent_set::inside));
  });
}

std::vector<std::uint32_t> expected_set(const verify::simple_graph& simple) {
  std::vector<std::uint64_t> priorities;
  for (const std::uint64_t id : simple.ids())
    priorities.push_back(maximal_independent_set::turn_of(id, FLAGS_seed));
  return verify::greedy_independent_set(simple, priorities);
}

status run_trials(const graph::loaded_graph& loaded, base::output_file& output, harness::report& report) {
  report.columns = {"member"};
  maximal_independent_set program{gas::property<std::uint32_t>::create(loaded.graph), FLAGS_seed};
  for (int trial = 0; trial < harness::trials(); ++trial) {
    const gas::run_report run =
        gas::run(program, loaded.graph, {.edges = engine::edge_loop_options_from_flags()});
    const std::uint64_t size = size_of(loaded.graph, program.decided);
    const auto edges = loaded.edges * static_cast<std::uint64_t>(run.supersteps);
    report.trials.push_back({run.seconds, run.supersteps, edges, {{"size", size}}});
    harness::print("maximal_independent_set: {} of {} vertices, {}, {:.4f} s\n", harness::grouped(size),
                   harness::grouped(loaded.vertices), harness::counted(run.supersteps, "iteration"),
                   run.seconds);
  }
  const status done =
      harness::report_values(loaded.graph, program.decided, "memberships", expected_set, output, report);
  program.decided.destroy();
  return done;
}

status main_task() {
  if (status s = harness::require_symmetrize(); !s.ok()) return s;
  return harness::run_on_graph("maximal_independent_set",
                               graph::without_weights(gas::forms_for<maximal_independent_set>()), run_trials);
}

}  // namespace
}  // namespace orujo

int main(int argc, char** argv) {
  return orujo::run(
      argc, argv,
      "maximal_independent_set: vertices of which no two are neighbours, and beside which there is room for "
      "no other.\n\n"
      "  bin/orujo run maximal_independent_set --generate=kronecker:18 --symmetrize --verify\n"
      "  bin/orujo run -n 2 maximal_independent_set --graph=web.txt.gz --symmetrize --output=set.txt",
      &orujo::main_task);
}
