// The core number of every vertex of an undirected graph.
#include <gflags/gflags.h>

#include <algorithm>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "applications/harness/graph_harness.hpp"
#include "framework/algorithms/core_numbers.hpp"
#include "framework/algorithms/weighted_core_numbers.hpp"
#include "framework/gas/load.hpp"
#include "framework/verify/core_numbers_oracle.hpp"
#include "system/collectives/collectives.hpp"
#include "system/runtime/runtime.hpp"

DEFINE_bool(weighted, false,
            "count a neighbour as the weight of the edge, from 0 on, instead of 1: the s-cores of the graph");

namespace orujo::internal {
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

struct largest_core {
  double number = 0;
  std::uint64_t vertices = 0;  // that have it
};

largest_core find_largest(graph::distributed_graph graph, graph::property<double> cores) {
  return loops::on_all_cores([=] {
    const std::span<const double> mine = graph.here().my_part().of(cores.here());
    const double here = mine.empty() ? 0 : std::ranges::max(mine);
    const double all = collectives::all_reduce(here, [](double a, double b) { return std::max(a, b); });
    return largest_core{all,
                        collectives::all_reduce(static_cast<std::uint64_t>(std::ranges::count(mine, all)))};
  });
}

status find_weighted_cores(const graph::loaded_graph& loaded, files::output_file& output,
                           harness::report& report) {
  if (status s = harness::require_weights(loaded); !s.ok()) return s;
  report.columns = {"core"};
  const auto cores = graph::property<double>::create(loaded.graph);
  for (int trial = 0; trial < harness::trials(); ++trial) {
    const gas::run_report run = loops::on_all_cores([graph = loaded.graph, cores] {
      algorithms::weighted_core_numbers program(graph.here(), cores.here());
      return gas::run(program, graph.here());
    });
    const largest_core largest = find_largest(loaded.graph, cores);
    report.trials.push_back({run.seconds, run.supersteps, run.edges, {{"degeneracy", largest.number}}});
    harness::print("k_core: the largest core number is {}, of {}; {}, {:.4f} s\n", largest.number,
                   harness::counted(largest.vertices, "vertex", "vertices"),
                   harness::counted(run.supersteps, "superstep"), run.seconds);
  }
  std::optional<verify::value_comparison<double>> check;
  if (harness::verify()) {
    const auto simple = harness::serial_graph(true);
    if (!simple.ok()) return simple.status();
    verify::weighted_cores expected = verify::weighted_core_numbers(simple.value());
    check.emplace("core numbers", simple.value().ids(), std::move(expected.numbers), expected.relative_error,
                  expected.least);
  }
  const status done = harness::report_compared(loaded.graph, cores, std::move(check), output, report);
  cores.destroy();
  return done;
}

status main_task() {
  if (status s = harness::require_symmetrize(); !s.ok()) return s;
  if (FLAGS_weighted) {
    graph::edge_forms forms = gas::forms_for<algorithms::weighted_core_numbers>();
    forms.non_negative_weights = true;
    return harness::run_on_graph("k_core", forms, find_weighted_cores);
  }
  return harness::run_on_graph("k_core", {.in_vectors = false, .out_rows = true, .weights = false},
                               find_cores);
}

}  // namespace
}  // namespace orujo::internal

int main(int argc, char** argv) {
  return orujo::run(
      argc, argv,
      "k_core: core number of every vertex: the largest k for which it belongs to a "
      "subgraph whose vertices all have k neighbours or more, or edges of such a weight with "
      "--weighted.\n\n"
      "  bin/orujo run k_core --generate=kronecker:18 --symmetrize --remove_self_loops --verify\n"
      "  bin/orujo run -n 2 k_core --graph=web.txt.gz --symmetrize --output=cores.txt",
      &orujo::internal::main_task);
}
