// The triangles of an undirected graph, counted exactly.
#include <gflags/gflags.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "applications/harness/graph_harness.hpp"
#include "framework/algorithms/triangles.hpp"
#include "framework/algorithms/weighted_clustering.hpp"
#include "framework/verify/triangles_oracle.hpp"
#include "system/base/flags.hpp"
#include "system/collectives/collectives.hpp"
#include "system/runtime/runtime.hpp"

DEFINE_bool(
    coefficients, false,
    "write local clustering coefficients to --output: the share of the pairs of a vertex's neighbours that "
    "have an edge; without --symmetrize pairs count by direction (LCC of LDBC Graphalytics)");

DEFINE_bool(
    weighted, false,
    "with --coefficients, count a triangle as the geometric mean of its weights, divided by the largest "
    "weight, instead of 1; requires --symmetrize and weights from 0 on");

DECLARE_string(output);
DECLARE_bool(symmetrize);

namespace orujo::internal {
namespace {

const base::flag_need coefficients_need(
    {"coefficients"}, [] { return !FLAGS_output.empty() || harness::verify() || !FLAGS_symmetrize; },
    "with --output or --verify");
const base::flag_need weighted_need(
    {"weighted"}, [] { return FLAGS_coefficients; }, "with --coefficients");

using algorithms::triangle_counts;
using algorithms::triangle_report;

// The counts of a trial for each vertex.
struct vertex_counts {
  graph::property<std::uint64_t> of_triangles;
  graph::property<std::uint32_t> of_neighbours;  // of a directed graph
};

// The last trial fills `counts`.
std::vector<triangle_report> run_trials(graph::distributed_graph graph, vertex_counts counts,
                                        triangle_counts wanted) {
  return loops::on_all_cores([=] {
    algorithms::triangle_counter counter(graph.here(), wanted);
    std::vector<triangle_report> reports;
    for (int trial = 0; trial < harness::trials(); ++trial) reports.push_back(counter.run());
    const graph::core_part& mine = graph.here().my_part();
    for (std::uint32_t v = mine.first; wanted != triangle_counts::none && v < mine.last; ++v) {
      counts.of_triangles.here()[v] = counter.count_of(v);
      if (wanted == triangle_counts::edges_among_neighbours)
        counts.of_neighbours.here()[v] = counter.neighbours_of(v);
    }
    return reports;
  });
}

// Computes coefficients from the numbers of triangles, or of edges among neighbours, at every core.
void make_coefficients(const graph::locale_graph& g, vertex_counts counts, std::span<double> to) {
  for (std::uint32_t v = g.my_part().first; v < g.my_part().last; ++v) {
    std::uint64_t degree = counts.of_neighbours.here()[v];
    if (g.symmetric) {
      const auto row = g.out_rows->of(v);
      degree = row.size() - (std::ranges::find(row, v) != row.end() ? 1 : 0);
    }
    const double pairs =
        static_cast<double>(degree) * (static_cast<double>(degree) - 1) / (g.symmetric ? 2 : 1);
    to[v] = degree < 2 ? 0 : static_cast<double>(counts.of_triangles.here()[v]) / pairs;
  }
}

status report_coefficients(const graph::loaded_graph& loaded, vertex_counts counts,
                           files::output_file& output, harness::report& report) {
  const auto shares = graph::property<double>::create(loaded.graph);
  loops::on_all_cores(
      [graph = loaded.graph, counts, shares] { make_coefficients(graph.here(), counts, shares.here()); });
  const status done = harness::report_values(loaded.graph, shares, "coefficients",
                                             verify::clustering_coefficients, output, report);
  shares.destroy();
  return done;
}

void report_trial(const graph::loaded_graph& loaded, std::uint64_t triangles, double seconds,
                  harness::report& report) {
  const std::uint64_t edges = loaded.edges / (loaded.graph.here().symmetric ? 2 : 1);
  report.trials.push_back({seconds, 1, edges, {{"triangles", triangles}}});
  harness::print("triangle_counting: {}, {:.4f} s\n", harness::counted(triangles, "triangle"), seconds);
}

status count_triangles(const graph::loaded_graph& loaded, files::output_file& output,
                       harness::report& report) {
  const bool directed = !loaded.graph.here().symmetric;
  report.columns = {FLAGS_coefficients ? "coefficient" : "triangles"};
  const bool with_counts = output.wanted() || harness::verify();
  const triangle_counts wanted = directed      ? triangle_counts::edges_among_neighbours
                                 : with_counts ? triangle_counts::by_vertex
                                               : triangle_counts::none;
  const vertex_counts counts{graph::property<std::uint64_t>::create(loaded.graph),
                             graph::property<std::uint32_t>::create(loaded.graph)};
  for (const triangle_report& trial : run_trials(loaded.graph, counts, wanted))
    report_trial(loaded, trial.triangles, trial.seconds, report);
  const status done = FLAGS_coefficients ? report_coefficients(loaded, counts, output, report)
                                         : harness::report_values(loaded.graph, counts.of_triangles, "counts",
                                                                  verify::triangles, output, report);
  counts.of_triangles.destroy();
  counts.of_neighbours.destroy();
  return done;
}

status find_weighted_coefficients(const graph::loaded_graph& loaded, files::output_file& output,
                                  harness::report& report) {
  if (status s = harness::require_weights(loaded); !s.ok()) return s;
  report.columns = {"coefficient"};
  const auto coefficients = graph::property<double>::create(loaded.graph);
  for (int trial = 0; trial < harness::trials(); ++trial) {
    const algorithms::clustering_report found = algorithms::weighted_clustering(loaded.graph, coefficients);
    report_trial(loaded, found.triangles, found.seconds, report);
  }
  std::optional<verify::value_comparison<double>> check;
  if (harness::verify()) {
    const auto simple = harness::serial_graph(true);
    if (!simple.ok()) return simple.status();
    check.emplace("coefficients", simple.value().ids(),
                  verify::weighted_clustering_coefficients(simple.value()),
                  verify::weighted_clustering_tolerance, verify::least_weighted_coefficient);
  }
  const status done = harness::report_compared(loaded.graph, coefficients, std::move(check), output, report);
  coefficients.destroy();
  return done;
}

status main_task() {
  if (FLAGS_weighted) {
    if (status s = harness::require_symmetrize("--weighted"); !s.ok()) return s;
    return harness::run_on_graph("triangle_counting", algorithms::weighted_clustering_forms,
                                 find_weighted_coefficients);
  }
  status undirected = harness::require_symmetrize();
  const bool directed = !undirected.ok() && FLAGS_coefficients;
  if (!undirected.ok() && !directed) return undirected;
  return harness::run_on_graph("triangle_counting",
                               {.in_vectors = false, .in_rows = directed, .out_rows = true, .weights = false},
                               count_triangles);
}

}  // namespace
}  // namespace orujo::internal

int main(int argc, char** argv) {
  return orujo::run(
      argc, argv,
      "triangle_counting: number of triangles of a graph and of each vertex; clustering coefficients "
      "with --coefficients.\n\n"
      "  bin/orujo run triangle_counting --generate=kronecker:16 --symmetrize --verify\n"
      "  bin/orujo run -n 2 triangle_counting --graph=web.txt.gz --symmetrize --output=triangles.txt",
      &orujo::internal::main_task);
}
