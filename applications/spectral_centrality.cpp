// Eigenvector or Katz centrality of every vertex.
#include "framework/algorithms/spectral_centrality.hpp"

#include <fmt/format.h>
#include <gflags/gflags.h>

#include <cmath>
#include <string>
#include <utility>

#include "applications/harness/ranked.hpp"
#include "framework/gas/load.hpp"
#include "framework/vectors/sum_rounding.hpp"
#include "framework/verify/spectral_centrality_oracle.hpp"
#include "system/base/flags.hpp"
#include "system/runtime/runtime.hpp"

DEFINE_string(
    measure, "eigenvector",
    "centrality: eigenvector (proportional to the sum of the neighbours' scores) or katz (--alpha times "
    "this sum, plus --beta)");
DEFINE_double(
    alpha, 0.1,
    "factor of neighbours' scores in Katz centrality; it diverges unless below 1 / largest eigenvalue");
DEFINE_double(beta, 1, "score of every vertex beside its neighbours' in Katz centrality");
DEFINE_bool(normalized, true, "scale Katz centralities so that their squares sum to 1");
DEFINE_double(tolerance, 1e-6, "mean change of a score (L1 norm / vertices) below which iteration stops");
DEFINE_int32(
    max_iterations, 0,
    "maximum number of iterations, after which the job fails; 0: 100 for eigenvector, 1000 for katz");

namespace orujo::internal {
namespace {

bool is_katz() { return FLAGS_measure == "katz"; }

const flag_rule measure_rule(
    "measure", [] { return FLAGS_measure == "eigenvector" || is_katz(); }, "eigenvector or katz");
const base::flag_need katz_need({"alpha", "beta", "normalized"}, is_katz, "with --measure=katz");
const flag_rule alpha_rule(
    "alpha", [] { return FLAGS_alpha >= 0 && std::isfinite(FLAGS_alpha); }, "at least 0");
const flag_rule beta_rule(
    "beta", [] { return FLAGS_beta > 0 && std::isfinite(FLAGS_beta); }, "above 0");
const flag_rule tolerance_rule(
    "tolerance", [] { return FLAGS_tolerance > 0; }, "above 0");
const flag_rule most_rule(
    "max_iterations", [] { return FLAGS_max_iterations >= 0; }, "at least 0");

using algorithms::spectral_report;
using comparison = verify::value_comparison<double>;

spectral_report find_centrality(graph::distributed_graph graph, graph::property<double> scores) {
  const int standard = is_katz() ? 1000 : 100;
  const algorithms::spectral_options options{
      .tolerance = FLAGS_tolerance,
      .most_iterations = FLAGS_max_iterations > 0 ? FLAGS_max_iterations : standard,
      .run = {.edges = vectors::edge_loop_options_from_flags()}};
  if (!is_katz()) return algorithms::find_eigenvector_centrality(graph, scores, options);
  return algorithms::find_katz_centrality(graph, scores, {FLAGS_alpha, FLAGS_beta, FLAGS_normalized},
                                          options);
}

status not_converged(const spectral_report& found) {
  std::string remedy = "pass a larger --max_iterations or --tolerance";
  if (found.growth >= 1)
    remedy = fmt::format("pass an --alpha below {:.3g}, as changes grow {:.3g} times in each",
                         FLAGS_alpha / found.growth, found.growth);
  return {exit_status::usage,
          fmt::format("the scores have not converged in {}: the last changed them by {:.1e}; {}",
                      harness::counted(found.iterations, "iteration"), found.change, remedy)};
}

result<comparison> ask_oracle(int iterations, const vectors::sum_shape& sums) {
  const auto made = harness::serial_graph(true);
  if (!made.ok()) return made.status();
  const verify::simple_graph& simple = made.value();
  const double roundings = vectors::pull_roundings<double>(sums, static_cast<double>(simple.most_in_edges()));
  return comparison(
      "scores", simple.ids(),
      is_katz() ? verify::katz_scores(simple, FLAGS_alpha, FLAGS_beta, FLAGS_normalized, iterations)
                : verify::eigenvector_scores(simple, iterations),
      verify::error_of_spectral_scores(roundings, iterations, static_cast<double>(simple.vertex_count())));
}

status find_scores(const graph::loaded_graph& loaded, files::output_file& output, harness::report& report) {
  const auto scores = graph::property<double>::create(loaded.graph);
  spectral_report found;
  for (int trial = 0; trial < harness::trials(); ++trial) {
    found = find_centrality(loaded.graph, scores);
    if (!found.converged) {
      scores.destroy();
      return not_converged(found);
    }
    const std::uint64_t edges = loaded.edges * static_cast<std::uint64_t>(found.iterations);
    report.trials.push_back({found.seconds, found.iterations, edges});
    harness::print("spectral_centrality: {}, last change {:.1e}, {:.4f} s, {} edges/s\n",
                   harness::counted(found.iterations, "iteration"), found.change, found.seconds,
                   harness::engineering(static_cast<double>(edges) / found.seconds));
  }
  const auto ask = [&] { return ask_oracle(found.iterations, vectors::shape_of_sums(loaded.graph)); };
  const status done = harness::report_ranked(loaded.graph, scores, FLAGS_measure, ask, output, report);
  scores.destroy();
  return done;
}

status main_task() {
  graph::edge_forms forms = gas::forms_for<algorithms::eigenvector_centrality>();
  forms.non_negative_weights = true;
  return harness::run_on_graph("spectral_centrality", forms, find_scores);
}

}  // namespace
}  // namespace orujo::internal

int main(int argc, char** argv) {
  return orujo::run(argc, argv,
                    "spectral_centrality: eigenvector or Katz centrality of every vertex.\n\n"
                    "  bin/orujo run spectral_centrality --generate=kronecker:16 --symmetrize --verify\n"
                    "  bin/orujo run -n 2 spectral_centrality --graph=web.txt.gz --measure=katz "
                    "--alpha=0.001 --output=scores.txt",
                    &orujo::internal::main_task);
}
