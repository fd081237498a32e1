// The number of cliques of k vertices in an undirected graph, and of those of each vertex.
#include "framework/algorithms/cliques.hpp"

#include <gflags/gflags.h>

#include <optional>

#include "applications/harness/graph_harness.hpp"
#include "framework/verify/cliques_oracle.hpp"
#include "system/base/flags.hpp"
#include "system/runtime/runtime.hpp"

DEFINE_int32(size, 4, "number of vertices of the cliques, from 3 to 64");

namespace orujo::internal {
namespace {

const flag_rule size_rule(
    "size",
    [] { return FLAGS_size >= algorithms::smallest_clique && FLAGS_size <= algorithms::largest_clique; },
    "from 3 to 64");

status count_cliques(const graph::loaded_graph& loaded, files::output_file& output, harness::report& report) {
  report.columns = {"cliques"};
  const auto counts = graph::property<std::uint64_t>::create(loaded.graph);
  std::optional<graph::property<std::uint64_t>> by_vertex;
  if (output.wanted() || harness::verify()) by_vertex = counts;
  status done;
  for (int trial = 0; trial < harness::trials() && done.ok(); ++trial) {
    const result<algorithms::clique_report> counted =
        algorithms::count_cliques(loaded.graph, FLAGS_size, by_vertex);
    done = counted.status();
    if (!done.ok()) break;
    const algorithms::clique_report& found = counted.value();
    report.trials.push_back(
        {found.seconds, found.rounds, loaded.edges / 2, {{"cliques", found.cliques}, {"size", FLAGS_size}}});
    harness::print("cliques: {} of {} vertices, {:.4f} s\n", harness::counted(found.cliques, "clique"),
                   FLAGS_size, found.seconds);
  }
  if (done.ok()) {
    const auto oracle = [](const verify::simple_graph& simple) {
      return verify::cliques(simple, FLAGS_size);
    };
    done = harness::report_values(loaded.graph, counts, "counts", oracle, output, report);
  }
  counts.destroy();
  return done;
}

status main_task() {
  if (status s = harness::require_symmetrize(); !s.ok()) return s;
  return harness::run_on_graph("cliques", algorithms::clique_forms, count_cliques);
}

}  // namespace
}  // namespace orujo::internal

int main(int argc, char** argv) {
  return orujo::run(
      argc, argv,
      "cliques: number of cliques of --size vertices, all of which have edges with each other.\n\n"
      "  bin/orujo run cliques --generate=kronecker:10 --symmetrize --size=4 --verify\n"
      "  bin/orujo run -n 2 cliques --graph=web.txt.gz --symmetrize --size=5 --output=cliques.txt",
      &orujo::internal::main_task);
}
