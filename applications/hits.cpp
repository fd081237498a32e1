// Hubs and authorities of a graph.
#include "framework/algorithms/hits.hpp"

#include <gflags/gflags.h>

#include <optional>
#include <string>

#include "applications/harness/graph_harness.hpp"
#include "applications/harness/top.hpp"
#include "framework/graph/transposed.hpp"
#include "framework/vectors/sum_rounding.hpp"
#include "framework/verify/hits_oracle.hpp"
#include "framework/verify/rank_bounds.hpp"
#include "system/base/flags.hpp"
#include "system/runtime/runtime.hpp"

DEFINE_double(tolerance, 1e-6, "largest change of hubs and of authorities in the last iteration (L2 norm)");
DEFINE_int32(max_iterations, 1000,
             "maximum number of iterations; reports `not converged` if the tolerance is not reached");

namespace orujo::internal {

template <>
struct results::numbers_of<algorithms::hits_scores> {
  template <class Visit>
  static void visit(const algorithms::hits_scores& scores, const Visit& visit) {
    visit(scores.hub);
    visit(scores.authority);
  }
};

namespace {

const flag_rule tolerance_rule(
    "tolerance", [] { return FLAGS_tolerance >= 1e-7; },
    "at least 1e-7: smaller changes are lost in rounding");
const flag_rule most_rule(
    "max_iterations", [] { return FLAGS_max_iterations >= 1; }, "at least 1");

using algorithms::hits_report;
using algorithms::hits_scores;

// Compares hubs and authorities with the serial oracle's.
struct comparison {
  // Scores outside the strongest component shrink in every iteration, until doubles cannot represent them.
  static double rounded(double score) { return score < 1e-200 ? 0 : score; }
  static std::vector<double> all_rounded(std::vector<double> scores) {
    for (double& s : scores) s = rounded(s);
    return scores;
  }

  comparison(const verify::simple_graph& simple, const verify::hits_scores& expected, double error)
      : hubs("hubs", simple.ids(), all_rounded(expected.hubs), error),
        authorities("authorities", simple.ids(), all_rounded(expected.authorities), error) {}
  void add(std::uint64_t id, const hits_scores& scores) {
    hubs.add(id, rounded(scores.hub));
    authorities.add(id, rounded(scores.authority));
  }
  bool agrees() const { return hubs.agrees() && authorities.agrees(); }
  std::string describe() const { return hubs.describe() + "; " + authorities.describe(); }

  verify::value_comparison<double> hubs, authorities;
};

status report_scores(graph::distributed_graph graph, graph::property<hits_scores> scores, int iterations,
                     files::output_file& output, harness::report& report) {
  std::optional<comparison> check;
  if (harness::verify()) {
    const auto made = harness::serial_graph();
    if (!made.ok()) return made.status();
    const verify::simple_graph& simple = made.value();
    const double roundings = vectors::row_roundings(static_cast<double>(simple.edge_count()));
    check.emplace(simple, verify::hits(simple, iterations),
                  verify::error_of_scores(roundings, iterations, static_cast<double>(simple.vertex_count())));
  }
  harness::foremost hubs("hub"), authorities("authority");
  const auto visit = [&](const results::vertex_values<hits_scores>& part) {
    for (std::size_t k = 0; k < part.ids.size(); ++k) {
      hubs.add(part.label(k), part.values[k].hub);
      authorities.add(part.label(k), part.values[k].authority);
      if (check) check->add(part.ids[k], part.values[k]);
    }
  };
  report.columns = {"hub", "authority"};
  harness::tell_values(graph, scores, output, visit, report);
  hubs.print();
  authorities.print();
  return harness::finish_values(check, output, report);
}

status find_scores(const graph::loaded_graph& loaded, files::output_file& output, harness::report& report) {
  const graph::distributed_graph reversed = graph::transposed(loaded.graph);
  const auto scores = graph::property<hits_scores>::create(loaded.graph);
  hits_report found;
  for (int trial = 0; trial < harness::trials(); ++trial) {
    found = algorithms::find_hubs_and_authorities(
        loaded.graph, reversed, scores,
        {FLAGS_tolerance, FLAGS_max_iterations, {.edges = vectors::edge_loop_options_from_flags()}});
    // The edges to the authorities and back.
    const auto edges = 2 * loaded.edges * static_cast<std::uint64_t>(found.iterations);
    report.trials.push_back({found.seconds, found.iterations, edges});
    harness::print("hits: {}, last change {:.1e}, {:.4f} s, {} edges/s\n",
                   harness::counted(found.iterations, "iteration"), found.change, found.seconds,
                   harness::engineering(static_cast<double>(edges) / found.seconds));
  }
  if (found.change > FLAGS_tolerance)
    harness::print("not converged: the tolerance of {} was not reached in {}\n", FLAGS_tolerance,
                   harness::counted(FLAGS_max_iterations, "iteration"));
  const status done = report_scores(loaded.graph, scores, found.iterations, output, report);
  scores.destroy();
  reversed.destroy();
  return done;
}

status main_task() {
  return harness::run_on_graph(
      "hits", {.in_vectors = false, .in_rows = true, .out_rows = true, .weights = false}, find_scores);
}

}  // namespace
}  // namespace orujo::internal

int main(int argc, char** argv) {
  return orujo::run(argc, argv,
                    "hits: hub and authority scores of every vertex (HITS).\n\n"
                    "  bin/orujo run hits --generate=kronecker:18 --verify\n"
                    "  bin/orujo run -n 2 hits --graph=web.txt.gz --output=scores.txt",
                    &orujo::internal::main_task);
}
