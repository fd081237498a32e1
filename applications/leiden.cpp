// Communities of a graph by the Leiden algorithm, or by Louvain's.
#include "framework/algorithms/leiden.hpp"

#include <gflags/gflags.h>

#include "applications/harness/graph_harness.hpp"
#include "applications/harness/groups.hpp"
#include "framework/verify/communities_oracle.hpp"
#include "system/base/flags.hpp"
#include "system/runtime/runtime.hpp"

DEFINE_string(method, "leiden", "leiden; or louvain, whose communities may be not connected");
DEFINE_string(quality, "modularity", "quality that is maximised: modularity, or cpm (constant Potts model)");
DEFINE_double(resolution, 1, "resolution: the larger it is, the smaller are the communities");
DEFINE_uint64(seed, 1, "seed of the order in which vertices move");
DEFINE_int32(iterations, 2,
             "number of iterations over all levels; each improves the communities of the last");
DEFINE_int32(levels, 0, "maximum number of levels of the last iteration; 0: all");

namespace orujo::internal {
namespace {

const flag_rule method_rule(
    "method", [] { return FLAGS_method == "leiden" || FLAGS_method == "louvain"; }, "leiden or louvain");
const flag_rule quality_rule(
    "quality", [] { return FLAGS_quality == "modularity" || FLAGS_quality == "cpm"; }, "modularity or cpm");
const flag_rule resolution_rule(
    "resolution", [] { return FLAGS_resolution > 0 && FLAGS_resolution < 1e9; }, "above 0 and below 1e9");
const flag_rule iterations_rule(
    "iterations", [] { return FLAGS_iterations >= 1; }, "at least 1");
const flag_rule levels_rule(
    "levels", [] { return FLAGS_levels >= 0; }, "at least 0");

algorithms::leiden_options options_from_flags() {
  algorithms::leiden_options options;
  if (FLAGS_method == "louvain") options.method = algorithms::community_method::louvain;
  if (FLAGS_quality == "cpm") options.quality = algorithms::community_quality::cpm;
  options.resolution = FLAGS_resolution;
  options.seed = FLAGS_seed;
  options.iterations = FLAGS_iterations;
  if (FLAGS_levels > 0) options.max_levels = FLAGS_levels;
  return options;
}

void print_run(const algorithms::leiden_report& found) {
  harness::print("leiden: {} {:.6f}, {}, {}, {:.4f} s\n", FLAGS_quality, found.quality,
                 harness::counted(found.communities, "community", "communities"),
                 harness::counted(found.levels.size(), "level"), found.seconds);
  for (std::size_t k = 0; k < found.levels.size(); ++k) {
    const algorithms::leiden_level& level = found.levels[k];
    harness::print("  level {}: {}, {}, {}, {}\n", k + 1,
                   harness::counted(level.vertices, "vertex", "vertices"),
                   harness::counted(level.edges, "edge"),
                   harness::counted(level.communities, "community", "communities"),
                   harness::counted(level.sweeps, "sweep"));
  }
}

status run_trials(const graph::loaded_graph& loaded, files::output_file& output, harness::report& report) {
  const auto labels = graph::property<std::uint64_t>::create(loaded.graph);
  double quality = 0;
  for (int trial = 0; trial < harness::trials(); ++trial) {
    const algorithms::leiden_report found = algorithms::leiden(loaded.graph, labels, options_from_flags());
    quality = found.quality;
    report.trials.push_back(
        {found.seconds,
         found.sweeps,
         loaded.edges,
         {{"quality", quality}, {"communities", found.communities}, {"levels", found.levels.size()}}});
    print_run(found);
  }
  const bool connected = FLAGS_method == "leiden" && FLAGS_levels == 0;
  const auto check = [&](const verify::simple_graph& simple, std::span<const std::uint64_t> ids,
                         std::span<const std::uint64_t> groups, harness::report& to) {
    harness::tell_verdict(
        verify::community_check(simple, ids, groups, {FLAGS_quality == "cpm", FLAGS_resolution}, quality,
                                connected),
        to);
  };
  const status done = harness::report_groups(loaded.graph, labels, {"communities", "smallest vertex", true},
                                             harness::group_check(check), output, report);
  labels.destroy();
  return done;
}

status main_task() {
  if (status s = harness::require_symmetrize(); !s.ok()) return s;
  return harness::run_on_graph(
      "leiden", {.in_vectors = false, .in_rows = true, .arcs = true, .non_negative_weights = true},
      run_trials);
}

}  // namespace
}  // namespace orujo::internal

int main(int argc, char** argv) {
  return orujo::run(
      argc, argv,
      "leiden: communities of an undirected graph by modularity, with the Leiden algorithm or Louvain's.\n\n"
      "  bin/orujo run leiden --generate=kronecker:18 --symmetrize --verify\n"
      "  bin/orujo run -n 2 leiden --graph=friends.txt.gz --symmetrize --output=communities.txt",
      &orujo::internal::main_task);
}
