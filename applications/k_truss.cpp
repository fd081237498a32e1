// The truss number of every edge of an undirected graph, or its support.
#include <gflags/gflags.h>

#include <cstdint>
#include <vector>

#include "applications/harness/edges.hpp"
#include "framework/algorithms/truss_numbers.hpp"
#include "framework/verify/truss_oracle.hpp"
#include "system/runtime/runtime.hpp"

DEFINE_bool(support, false, "find the number of triangles of every edge instead of its truss number");

namespace orujo::internal {
namespace {

using algorithms::edge_triangles;

void print(const edge_triangles& found) {
  const auto edges = harness::counted(found.of_largest, "edge");
  const auto triangles = harness::counted(found.triangles, "triangle");
  if (FLAGS_support) {
    harness::print("k_truss: the largest support is {}, of {}; {}, {:.4f} s\n", found.largest, edges,
                   triangles, found.seconds);
  } else {
    harness::print("k_truss: the largest truss number is {}, of {}; {}, {}, {}, {:.4f} s\n", found.largest,
                   edges, triangles, harness::counted(found.levels, "level"),
                   harness::counted(found.rounds, "round"), found.seconds);
  }
}

status run_trials(const graph::loaded_graph& loaded, files::output_file& output, harness::report& report) {
  for (int trial = 1;; ++trial) {
    const edge_triangles found =
        FLAGS_support ? algorithms::edge_support(loaded.graph) : algorithms::truss_numbers(loaded.graph);
    report.trials.push_back({found.seconds,
                             found.rounds,
                             loaded.edges,
                             {{"largest", found.largest},
                              {"edges_of_largest", found.of_largest},
                              {"triangles", found.triangles}}});
    print(found);
    status done;
    if (trial == harness::trials()) {
      done = harness::report_edges(
          loaded.graph, found.edges,
          {FLAGS_support ? "supports" : "truss numbers", FLAGS_support ? "support" : "truss"},
          FLAGS_support ? verify::edge_supports : verify::truss_numbers, 0, output, report);
    }
    found.edges.destroy();
    if (trial == harness::trials()) return done;
  }
}

status main_task() {
  if (status s = harness::require_symmetrize(); !s.ok()) return s;
  return harness::run_on_graph("k_truss", algorithms::truss_forms, run_trials);
}

}  // namespace
}  // namespace orujo::internal

int main(int argc, char** argv) {
  return orujo::run(
      argc, argv,
      "k_truss: truss number of every edge: the largest k for which it belongs to a subgraph whose edges all "
      "belong to k - 2 triangles or more. With --support, the number of triangles of every edge.\n\n"
      "  bin/orujo run k_truss --generate=kronecker:14 --symmetrize --verify\n"
      "  bin/orujo run -n 2 k_truss --graph=web.txt.gz --symmetrize --output=trusses.txt",
      &orujo::internal::main_task);
}
