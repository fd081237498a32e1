// Personalized PageRank: the proximity of vertices to one of them.
#include "framework/algorithms/personalized_pagerank.hpp"

#include <gflags/gflags.h>

#include <algorithm>
#include <utility>

#include "applications/harness/ranked.hpp"
#include "applications/harness/sources.hpp"
#include "framework/gas/load.hpp"
#include "framework/vectors/sum_rounding.hpp"
#include "framework/verify/personalized_pagerank_oracle.hpp"
#include "framework/verify/rank_bounds.hpp"
#include "system/base/flags.hpp"
#include "system/runtime/runtime.hpp"

DEFINE_double(damping, 0.85, "probability to follow an edge rather than to return to the source");
DEFINE_double(tolerance, 1e-6, "total change of the ranks (L1 norm) below which iteration stops");
DEFINE_int32(max_iterations, 1000,
             "maximum number of iterations; reports `not converged` if the tolerance is not reached");

namespace orujo {
namespace {

const flag_rule damping_rule(
    "damping", [] { return FLAGS_damping >= 0 && FLAGS_damping < 1; }, "from 0 to below 1");
const flag_rule tolerance_rule(
    "tolerance", [] { return FLAGS_tolerance >= 0; }, "at least 0");
const flag_rule most_rule(
    "max_iterations", [] { return FLAGS_max_iterations >= 1; }, "at least 1");

using algorithms::personalized_pagerank;
using comparison = verify::value_comparison<double>;

result<comparison> ask_oracle(std::size_t source, int iterations, const vectors::sum_shape& sums) {
  const auto made = harness::serial_graph();
  if (!made.ok()) return made.status();
  const verify::simple_graph& simple = made.value();
  const double roundings = vectors::pull_roundings<double>(sums, static_cast<double>(simple.most_in_edges()));
  const double error = verify::error_of_iteration({verify::double_unit, roundings, FLAGS_damping},
                                                  static_cast<double>(simple.vertex_count()));
  return comparison("ranks", simple.ids(),
                    verify::personalized_pagerank(simple, source, FLAGS_damping, iterations),
                    (iterations + 1) * error);
}

status rank_vertices(const graph::loaded_graph& loaded, files::output_file& output, harness::report& report) {
  const auto sources = harness::choose_sources(loaded, 1);
  if (!sources.ok()) return sources.status();
  if (sources.value().empty()) return {exit_status::usage, "the graph has no vertex to start from"};
  const harness::search_source& source = sources.value().front();
  const auto ranks = graph::property<double>::create(loaded.graph);
  gas::run_report run;
  for (int trial = 0; trial < harness::trials(); ++trial) {
    personalized_pagerank program{ranks, source.number, FLAGS_damping, FLAGS_tolerance};
    run =
        gas::run(program, loaded.graph,
                 {.most_supersteps = FLAGS_max_iterations, .edges = vectors::edge_loop_options_from_flags()});
    const auto edges = loaded.edges * static_cast<std::uint64_t>(run.supersteps);
    report.trials.push_back({run.seconds, run.supersteps, edges, {{"source", source.told()}}});
    harness::print("personalized_pagerank: source {}, {}, last change {:.1e}, {:.4f} s, {} edges/s\n",
                   source.label(), harness::counted(run.supersteps, "iteration"), program.change, run.seconds,
                   harness::engineering(static_cast<double>(edges) / run.seconds));
  }
  if (!run.ended)
    harness::print("not converged: the tolerance of {} was not reached in {}\n", FLAGS_tolerance,
                   harness::counted(FLAGS_max_iterations, "iteration"));
  const auto ask = [&] {
    return ask_oracle(source.position, run.supersteps, vectors::shape_of_sums(loaded.graph));
  };
  const status done = harness::report_ranked(loaded.graph, ranks, "rank", ask, output, report);
  ranks.destroy();
  return done;
}

status main_task() {
  return harness::run_on_graph("personalized_pagerank",
                               graph::without_weights(gas::forms_for<personalized_pagerank>()),
                               rank_vertices);
}

}  // namespace
}  // namespace orujo

int main(int argc, char** argv) {
  return orujo::run(
      argc, argv,
      "personalized_pagerank: personalized PageRank from a source vertex.\n\n"
      "  bin/orujo run personalized_pagerank --generate=kronecker:18 --verify\n"
      "  bin/orujo run -n 2 personalized_pagerank --graph=web.txt.gz --source=17 --output=ranks.txt",
      &orujo::main_task);
}
