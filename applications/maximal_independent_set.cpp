// A maximal independent set of an undirected graph.
#include "framework/algorithms/maximal_independent_set.hpp"

#include <gflags/gflags.h>

#include <algorithm>

#include "applications/harness/graph_harness.hpp"
#include "framework/gas/load.hpp"
#include "framework/verify/independent_set_oracle.hpp"
#include "system/delegates/call_on_all.hpp"
#include "system/runtime/runtime.hpp"

DEFINE_uint64(seed, 1, "seed of the order in which vertices are taken");

namespace orujo::internal {
namespace {

std::vector<std::uint8_t> expected_set(const verify::simple_graph& simple) {
  std::vector<std::uint64_t> priorities;
  for (const std::uint64_t id : simple.ids())
    priorities.push_back(algorithms::independent_set_priority(id, FLAGS_seed));
  const std::vector<std::uint32_t> set = verify::greedy_independent_set(simple, priorities);
  return {set.begin(), set.end()};
}

status run_trials(const graph::loaded_graph& loaded, files::output_file& output, harness::report& report) {
  report.columns = {"member"};
  const auto members = graph::property<std::uint8_t>::create(loaded.graph);
  for (int trial = 0; trial < harness::trials(); ++trial) {
    const auto found =
        algorithms::maximal_independent_set(loaded.graph, members,
                                            {FLAGS_seed,
                                             {.direction = steps::direction_options_from_flags(),
                                              .edges = vectors::edge_loop_options_from_flags()}});
    report.trials.push_back({found.seconds, found.rounds, loaded.edges, {{"size", found.size}}});
    harness::print("maximal_independent_set: {} of {}, {}, {:.4f} s\n", harness::grouped(found.size),
                   harness::counted(loaded.vertices, "vertex", "vertices"),
                   harness::counted(found.rounds, "iteration"), found.seconds);
  }
  const status done =
      harness::report_values(loaded.graph, members, "memberships", expected_set, output, report);
  members.destroy();
  return done;
}

status main_task() {
  if (status s = harness::require_symmetrize(); !s.ok()) return s;
  return harness::run_on_graph("maximal_independent_set", graph::without_weights(gas::forms_for_maps),
                               run_trials);
}

}  // namespace
}  // namespace orujo::internal

int main(int argc, char** argv) {
  return orujo::run(
      argc, argv,
      "maximal_independent_set: maximal independent set of an undirected graph.\n\n"
      "  bin/orujo run maximal_independent_set --generate=kronecker:18 --symmetrize --verify\n"
      "  bin/orujo run -n 2 maximal_independent_set --graph=web.txt.gz --symmetrize --output=set.txt",
      &orujo::internal::main_task);
}
