// The triangles of an undirected graph, counted exactly.
#include <utility>
#include <vector>

#include "applications/harness/graph_harness.hpp"
#include "framework/algorithms/triangles.hpp"
#include "framework/verify/triangles_oracle.hpp"
#include "system/loops/collectives.hpp"
#include "system/runtime/runtime.hpp"

namespace orujo {
namespace {

using algorithms::triangle_report;
using triangle_counts = gas::property<std::uint64_t>;

// counts: filled by the last trial where with_counts says so.
std::vector<triangle_report> run_trials(graph::distributed_graph graph, triangle_counts counts,
                                        bool with_counts) {
  std::vector<triangle_report> of_core_0;
  loops::on_all_cores([=, to = &of_core_0] {
    algorithms::triangle_counter counter(graph.here(), with_counts);
    for (int trial = 0; trial < harness::trials(); ++trial) {
      const triangle_report report = counter.run();
      if (my_core() == 0) to->push_back(report);
    }
    const graph::core_part& mine = graph.here().my_part();
    for (std::uint32_t v = mine.first; with_counts && v < mine.last; ++v)
      counts.here()[v] = counter.count_of(v);
  });
  return of_core_0;
}

status count_triangles(const graph::loaded_graph& loaded, output_file& output, harness::report& report) {
  const bool with_counts = output.wanted() || harness::verify();
  const auto counts = triangle_counts::create(loaded.graph);
  for (const triangle_report& trial : run_trials(loaded.graph, counts, with_counts)) {
    report.trials.push_back({trial.seconds, 1, loaded.edges / 2, {{"triangles", trial.triangles}}});
    harness::print("triangle_counting: {} triangles, {:.4f} s\n", harness::grouped(trial.triangles),
                   trial.seconds);
  }
  const status done =
      harness::report_values(loaded.graph, counts, "counts", verify::triangles, output, report);
  counts.destroy();
  return done;
}

status main_task() {
  if (status s = harness::wants_symmetrize("triangle_counting"); !s.ok()) return s;
  return harness::run_on_graph("triangle_counting", {.in_vectors = false, .out_rows = true, .weights = false},
                               count_triangles);
}

}  // namespace
}  // namespace orujo

int main(int argc, char** argv) {
  return orujo::run(
      argc, argv,
      "triangle_counting: how many triangles a graph has, and with --output every vertex.\n\n"
      "  bin/orujo run triangle_counting --generate=kronecker:16 --symmetrize --verify\n"
      "  bin/orujo run -n 2 triangle_counting --graph=web.txt.gz --symmetrize --output=triangles.txt",
      &orujo::main_task);
}
