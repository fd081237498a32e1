// Random walks along the edges of a graph.
#include "framework/algorithms/random_walks.hpp"

#include <gflags/gflags.h>

#include "applications/harness/graph_harness.hpp"
#include "framework/verify/random_walks_oracle.hpp"
#include "system/base/flags.hpp"
#include "system/runtime/runtime.hpp"

DEFINE_uint64(walks, 0,
              "total number of walks, from sampled vertices; 0: --walks_per_vertex from every vertex");
DEFINE_uint64(walks_per_vertex, 1, "number of walks from every vertex; no effect with --walks");
DEFINE_uint32(length, 80, "steps per walk; fewer if it reaches a vertex without out-edges");
DEFINE_uint64(seed, 1, "seed of all random choices");

namespace orujo {
namespace {

const flag_rule per_vertex_rule(
    "walks_per_vertex", [] { return FLAGS_walks_per_vertex >= 1; }, "at least 1");
const base::flag_need per_vertex_need(
    {"walks_per_vertex"}, [] { return FLAGS_walks == 0; }, "without --walks");

using algorithms::walks_report;

std::vector<std::uint64_t> expected_visits(const verify::simple_graph& simple) {
  return verify::count_visits(simple, {FLAGS_walks, FLAGS_walks_per_vertex, FLAGS_length, FLAGS_seed});
}

status walk(const graph::loaded_graph& loaded, files::output_file& output, harness::report& report) {
  report.columns = {"visits"};
  const auto visits = graph::property<std::uint64_t>::create(loaded.graph);
  algorithms::random_walks walks(loaded.graph, visits);
  for (int trial = 0; trial < harness::trials(); ++trial) {
    const walks_report found = walks.run({FLAGS_walks, FLAGS_walks_per_vertex, FLAGS_length, FLAGS_seed});
    report.trials.push_back(
        {found.seconds, 1, found.steps, {{"walks", found.walks}, {"steps", found.steps}}});
    harness::print("random_walks: {}, {}, {:.4f} s, {} steps/s\n", harness::counted(found.walks, "walk"),
                   harness::counted(found.steps, "step"), found.seconds,
                   harness::engineering(static_cast<double>(found.steps) / found.seconds));
  }
  const status done = harness::report_values(loaded.graph, visits, "visits", expected_visits, output, report);
  visits.destroy();
  return done;
}

}  // namespace
}  // namespace orujo

int main(int argc, char** argv) {
  return orujo::run(
      argc, argv,
      "random_walks: random walks along the edges of a graph.\n\n"
      "  bin/orujo run random_walks --generate=kronecker:18 --symmetrize --length=10 --verify\n"
      "  bin/orujo run -n 2 random_walks --graph=web.txt.gz --walks=1000000 --output=visits.txt",
      [] {
        return orujo::harness::run_on_graph(
            "random_walks", {.in_vectors = false, .out_rows = true, .weights = false}, orujo::walk);
      });
}
