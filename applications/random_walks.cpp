// Random walks along the edges of a graph.
#include "framework/algorithms/random_walks.hpp"

#include <gflags/gflags.h>

#include <cstdint>
#include <span>
#include <vector>

#include "applications/harness/graph_harness.hpp"
#include "framework/results/vertex_matrix.hpp"
#include "framework/verify/random_walks_oracle.hpp"
#include "system/base/flags.hpp"
#include "system/runtime/runtime.hpp"

DEFINE_uint64(walks, 0,
              "total number of walks, from sampled vertices; 0: --walks_per_vertex from every vertex");
DEFINE_uint64(walks_per_vertex, 1, "number of walks from every vertex; no effect with --walks");
DEFINE_uint32(length, 80, "steps per walk; fewer if it reaches a vertex without out-edges");
DEFINE_double(
    p, 1, "return parameter of node2vec: the weight of an edge back to the vertex before is divided by it");
DEFINE_double(
    q, 1,
    "in-out parameter of node2vec: the weight of an edge to a vertex without an edge to the vertex before "
    "is divided by it");
DEFINE_bool(weighted, false,
            "choose edges with a probability in proportion to their weights, instead of all alike");
DEFINE_bool(
    keep_walks, false,
    "keep the vertices of every walk, and write them to --output instead of visits: a line per walk, or "
    "for FILE.npy a matrix with -1 after the end of a walk");
DEFINE_uint64(seed, 1, "seed of all random choices");

DECLARE_string(output);

namespace orujo {
namespace {

const flag_rule per_vertex_rule(
    "walks_per_vertex", [] { return FLAGS_walks_per_vertex >= 1; }, "at least 1");
const base::flag_need per_vertex_need(
    {"walks_per_vertex"}, [] { return FLAGS_walks == 0; }, "without --walks");
const base::flag_need keep_need(
    {"keep_walks"}, [] { return !FLAGS_output.empty() || harness::verify(); }, "with --output or --verify");
bool is_bias(double bias) { return bias >= 1e-6 && bias <= 1e6; }
const flag_rule p_rule(
    "p", [] { return is_bias(FLAGS_p); }, "from 1e-6 to 1e6");
const flag_rule q_rule(
    "q", [] { return is_bias(FLAGS_q); }, "from 1e-6 to 1e6");

using algorithms::walks_report;

verify::walk_plan plan() {
  return {FLAGS_walks, FLAGS_walks_per_vertex, FLAGS_length, FLAGS_seed, FLAGS_p, FLAGS_q, FLAGS_weighted};
}

// Destroys the walks.
status report_walks(graph::distributed_graph graph, containers::global_array<std::int64_t> walks,
                    files::output_file& output, harness::report& report) {
  const std::size_t width = std::size_t{FLAGS_length} + 1;
  if (output.wanted()) {
    harness::begin_step(harness::step::writing);
    results::write_vertex_matrix(graph, walks, width, output, harness::output_row_format());
  }
  status done = output.finish();
  if (done.ok() && harness::verify()) {
    const auto simple = harness::serial_graph(FLAGS_weighted);
    if (!simple.ok()) return simple.status();
    verify::walk_comparison check(simple.value(), plan());
    std::vector<std::int64_t> walk(width);
    for (std::size_t first = 0; first < walks.size(); first += width) {
      walks.get(first, std::span(walk));
      check.add(walk);
    }
    harness::tell_verdict(check, report);
  }
  walks.destroy();
  return done;
}

status walk(const graph::loaded_graph& loaded, files::output_file& output, harness::report& report) {
  report.columns = {"visits"};
  const auto visits = graph::property<std::uint64_t>::create(loaded.graph);
  algorithms::random_walks walks(loaded.graph, visits, FLAGS_weighted);
  status done;
  for (int trial = 1; trial <= harness::trials(); ++trial) {
    const walks_report found = walks.run(
        {FLAGS_walks, FLAGS_walks_per_vertex, FLAGS_length, FLAGS_seed, FLAGS_p, FLAGS_q, FLAGS_keep_walks});
    report.trials.push_back(
        {found.seconds, 1, found.steps, {{"walks", found.walks}, {"steps", found.steps}}});
    harness::print("random_walks: {}, {}, {:.4f} s, {} steps/s\n", harness::counted(found.walks, "walk"),
                   harness::counted(found.steps, "step"), found.seconds,
                   harness::engineering(static_cast<double>(found.steps) / found.seconds));
    if (trial == harness::trials() && found.vertices) {
      done = report_walks(loaded.graph, *found.vertices, output, report);
    } else if (found.vertices) {
      found.vertices->destroy();
    }
  }
  if (!FLAGS_keep_walks)
    done = harness::report_values(
        loaded.graph, visits, "visits",
        [](const verify::simple_graph& simple) { return verify::count_visits(simple, plan()); }, output,
        report);
  visits.destroy();
  return done;
}

status main_task() {
  return harness::run_on_graph("random_walks",
                               {.in_vectors = false,
                                .out_rows = true,
                                .weights = FLAGS_weighted,
                                .non_negative_weights = FLAGS_weighted},
                               walk);
}

}  // namespace
}  // namespace orujo

int main(int argc, char** argv) {
  return orujo::run(
      argc, argv,
      "random_walks: random walks along the edges of a graph, also those of node2vec.\n\n"
      "  bin/orujo run random_walks --generate=kronecker:18 --symmetrize --length=10 --verify\n"
      "  bin/orujo run -n 2 random_walks --graph=web.txt.gz --walks=1000000 --output=visits.txt\n"
      "  bin/orujo run random_walks --graph=web.txt.gz --symmetrize --p=0.5 --q=2 --keep_walks "
      "--output=walks.npy",
      &orujo::main_task);
}
