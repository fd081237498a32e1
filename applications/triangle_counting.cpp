// The triangles of an undirected graph, counted exactly.
#include <gflags/gflags.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "applications/harness/graph_harness.hpp"
#include "framework/algorithms/triangles.hpp"
#include "framework/verify/triangles_oracle.hpp"
#include "system/loops/collectives.hpp"
#include "system/runtime/runtime.hpp"

DEFINE_bool(coefficients, false,
            "--output has local clustering coefficients: the share of the pairs of a vertex's neighbours "
            "that have an edge");

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

// Of the numbers of triangles, at every core.
void make_coefficients(const graph::locale_graph& g, std::span<const std::uint64_t> counts,
                       std::span<double> to) {
  for (std::uint32_t v = g.my_part().first; v < g.my_part().last; ++v) {
    const auto row = g.out_rows->of(v);
    const std::uint64_t degree = row.size() - (std::ranges::find(row, v) != row.end() ? 1 : 0);
    const double pairs = static_cast<double>(degree) * (static_cast<double>(degree) - 1) / 2;
    to[v] = degree < 2 ? 0 : static_cast<double>(counts[v]) / pairs;
  }
}

status report_coefficients(const graph::loaded_graph& loaded, triangle_counts counts, output_file& output,
                           harness::report& report) {
  const auto shares = gas::property<double>::create(loaded.graph);
  loops::on_all_cores([graph = loaded.graph, counts, shares] {
    make_coefficients(graph.here(), counts.here(), shares.here());
  });
  const status done = harness::report_values(loaded.graph, shares, "coefficients",
                                             verify::clustering_coefficients, output, report);
  shares.destroy();
  return done;
}

status count_triangles(const graph::loaded_graph& loaded, output_file& output, harness::report& report) {
  report.columns = {FLAGS_coefficients ? "coefficient" : "triangles"};
  const bool with_counts = output.wanted() || harness::verify();
  const auto counts = triangle_counts::create(loaded.graph);
  for (const triangle_report& trial : run_trials(loaded.graph, counts, with_counts)) {
    report.trials.push_back({trial.seconds, 1, loaded.edges / 2, {{"triangles", trial.triangles}}});
    harness::print("triangle_counting: {} triangles, {:.4f} s\n", harness::grouped(trial.triangles),
                   trial.seconds);
  }
  const status done = FLAGS_coefficients ? report_coefficients(loaded, counts, output, report)
                                         : harness::report_values(loaded.graph, counts, "counts",
                                                                  verify::triangles, output, report);
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
