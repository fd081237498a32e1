// Closeness or harmonic centrality of every vertex, exactly or from a sample of sources.
#include "framework/algorithms/closeness.hpp"

#include <gflags/gflags.h>

#include <numeric>
#include <utility>
#include <vector>

#include "applications/harness/ranked.hpp"
#include "framework/algorithms/sample_positions.hpp"
#include "framework/gas/load.hpp"
#include "framework/verify/closeness_oracle.hpp"
#include "system/base/flags.hpp"
#include "system/runtime/runtime.hpp"

DEFINE_string(
    measure, "closeness",
    "centrality: closeness (reciprocal of the mean distance from other vertices) or harmonic (sum of "
    "the reciprocals of these distances)");
DEFINE_bool(wf_improved, true,
            "multiply closeness by the share of other vertices that reach the vertex (Wasserman and Faust)");
DEFINE_uint64(samples, 0,
              "number of sampled sources, from which centralities are estimated; 0: all vertices");
DEFINE_uint64(seed, 1, "seed of the sample of sources");

namespace orujo::internal {
namespace {

const flag_rule measure_rule(
    "measure", [] { return FLAGS_measure == "closeness" || FLAGS_measure == "harmonic"; },
    "closeness or harmonic");
const base::flag_need improved_need(
    {"wf_improved"}, [] { return FLAGS_measure == "closeness"; }, "with --measure=closeness");
const base::flag_need seed_need(
    {"seed"}, [] { return FLAGS_samples > 0; }, "with --samples");

using comparison = verify::value_comparison<double>;

result<comparison> ask_oracle(const std::vector<std::uint64_t>& sources) {
  const auto made = harness::serial_graph();
  if (!made.ok()) return made.status();
  const verify::simple_graph& simple = made.value();
  std::vector<std::size_t> from(sources.begin(), sources.end());
  if (from.empty()) {
    from.resize(simple.vertex_count());
    std::iota(from.begin(), from.end(), std::size_t{0});
  }
  verify::expected_closeness expected = verify::find_closeness(simple, from);
  std::vector<double>& scores = FLAGS_measure == "harmonic" ? expected.harmonic
                                : FLAGS_wf_improved         ? expected.improved
                                                            : expected.closeness;
  return comparison("scores", simple.ids(), std::move(scores), expected.relative_error);
}

status find_scores(const graph::loaded_graph& loaded, files::output_file& output, harness::report& report) {
  std::vector<std::uint64_t> sources;
  if (FLAGS_samples > 0) sources = algorithms::sample_positions(loaded.vertices, FLAGS_samples, FLAGS_seed);
  const auto scores = graph::property<double>::create(loaded.graph);
  const algorithms::closeness_options options{.measure = FLAGS_measure == "harmonic"
                                                             ? algorithms::nearness::harmonic
                                                             : algorithms::nearness::closeness,
                                              .wf_improved = FLAGS_wf_improved,
                                              .run = {.edges = vectors::edge_loop_options_from_flags(),
                                                      .direction = steps::direction_options_from_flags()}};
  for (int trial = 0; trial < harness::trials(); ++trial) {
    const algorithms::closeness_report found =
        algorithms::find_closeness(loaded.graph, scores, sources, options);
    const std::uint64_t edges = loaded.edges * found.searches;
    report.trials.push_back(
        {found.seconds, found.supersteps, edges, {{"sources", found.sources}, {"reached", found.reached}}});
    harness::print("closeness: {}, {} reached in all, {}, {:.4f} s, {} edges/s\n",
                   harness::counted(found.sources, "source"),
                   harness::counted(found.reached, "vertex", "vertices"),
                   harness::counted(found.supersteps, "superstep"), found.seconds,
                   harness::engineering(static_cast<double>(edges) / found.seconds));
  }
  const status done = harness::report_ranked(
      loaded.graph, scores, FLAGS_measure, [&] { return ask_oracle(sources); }, output, report);
  scores.destroy();
  return done;
}

status main_task() {
  return harness::run_on_graph(
      "closeness", graph::without_weights(gas::forms_for<algorithms::distance_search>()), find_scores);
}

}  // namespace
}  // namespace orujo::internal

int main(int argc, char** argv) {
  return orujo::run(
      argc, argv,
      "closeness: closeness or harmonic centrality of every vertex, by its distances from the others.\n\n"
      "  bin/orujo run closeness --generate=kronecker:12 --symmetrize --verify\n"
      "  bin/orujo run -n 2 closeness --graph=web.txt.gz --measure=harmonic --samples=1000 "
      "--output=scores.txt",
      &orujo::internal::main_task);
}
