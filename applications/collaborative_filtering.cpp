// Collaborative filtering: factors of users and items from ratings.
#include <fmt/format.h>
#include <gflags/gflags.h>

#include <cmath>

#include "applications/harness/graph_harness.hpp"
#include "framework/algorithms/matrix_factorization.hpp"
#include "framework/gas/load.hpp"
#include "framework/verify/matrix_factorization_oracle.hpp"
#include "system/base/flags.hpp"
#include "system/runtime/runtime.hpp"

DEFINE_int32(iterations, 10, "number of iterations, each of which updates all factors");
DEFINE_double(step, 0.2, "step along the gradient, in units of 1 / the root mean square of the ratings");
DEFINE_double(lambda, 0.001, "regularisation: share of a factor that a step subtracts from it");

namespace orujo::internal {
namespace {

const flag_rule iterations_rule(
    "iterations", [] { return FLAGS_iterations >= 0; }, "at least 0");
const flag_rule step_rule(
    "step", [] { return FLAGS_step > 0 && FLAGS_step <= 1000; }, "above 0 and at most 1000");
const flag_rule lambda_rule(
    "lambda", [] { return FLAGS_lambda >= 0 && FLAGS_lambda <= 1000; }, "from 0 to 1000");

using algorithms::matrix_factorization;
using factors = graph::property<matrix_factorization::value>;

struct outcome {
  gas::run_report run;
  std::vector<double> errors;  // of matrix_factorization
};

outcome factorize(graph::distributed_graph graph, factors found) {
  return loops::on_all_cores([=] {
    matrix_factorization program(graph.here(), found.here(), {FLAGS_iterations, FLAGS_step, FLAGS_lambda});
    const gas::run_report run =
        gas::run(program, graph.here(), {.edges = vectors::edge_loop_options_from_flags()});
    return outcome{run, program.errors};
  });
}

// Compares the errors of all iterations with those of the serial oracle.
class error_comparison {
 public:
  error_comparison(const std::vector<double>& errors, const std::vector<double>& expected) {
    same_number_ = errors.size() == expected.size();
    for (std::size_t i = 0; same_number_ && i < errors.size(); ++i) {
      const double relative = std::abs(errors[i] - expected[i]) / expected[0];
      if (!(relative <= worst_)) worst_ = relative;  // a NaN counts as worst
    }
    falls_ = errors.size() < 2 || errors.back() < errors.front();
  }
  bool agrees() const { return same_number_ && worst_ <= 1e-4 && falls_; }
  std::string describe() const {
    if (!same_number_) return "the serial oracle has another number of iterations";
    if (!falls_) return "the error does not fall: choose a smaller --step";
    return fmt::format("the serial oracle's errors of all iterations within {:.1e} of the first", worst_);
  }

 private:
  bool same_number_ = false, falls_ = false;
  double worst_ = 0;
};

status report_factors(graph::distributed_graph graph, factors found, const outcome& last,
                      files::output_file& output, harness::report& report) {
  report.columns = {"factor"};
  harness::tell_values(graph, found, output, {}, report);
  if (status written = output.finish(); !written.ok()) return written;
  if (!harness::verify()) return {};
  const auto simple = harness::serial_graph(true);
  if (!simple.ok()) return simple.status();
  const error_comparison check(
      last.errors,
      verify::factorization_errors(
          simple.value(), {matrix_factorization::factors, FLAGS_iterations, FLAGS_step, FLAGS_lambda}));
  harness::tell_verdict(check, report);
  return {};
}

status run_trials(const graph::loaded_graph& loaded, files::output_file& output, harness::report& report) {
  if (!loaded.graph.here().weighted)
    return {exit_status::usage, "this application requires ratings: a graph whose edges have weights"};
  const auto found = factors::create(loaded.graph);
  outcome last;
  for (int trial = 0; trial < harness::trials(); ++trial) {
    last = factorize(loaded.graph, found);
    const auto edges = loaded.edges * static_cast<std::uint64_t>(last.run.supersteps);
    report.trials.push_back({last.run.seconds, last.run.supersteps, edges, {{"errors", last.errors}}});
    harness::print("collaborative_filtering: {} factors, {}, {:.4f} s, {} edges/s\n",
                   matrix_factorization::factors, harness::counted(FLAGS_iterations, "iteration"),
                   last.run.seconds, harness::engineering(static_cast<double>(edges) / last.run.seconds));
  }
  if (!last.errors.empty()) harness::print("\n  iterations  root mean square error\n");
  for (std::size_t i = 0; i < last.errors.size(); ++i)
    harness::print("  {:>10}  {:.6g}\n", i, last.errors[i]);
  const status done = report_factors(loaded.graph, found, last, output, report);
  found.destroy();
  return done;
}

status main_task() {
  if (status s = harness::require_symmetrize(); !s.ok()) return s;
  return harness::run_on_graph("collaborative_filtering", gas::forms_for<matrix_factorization>(), run_trials);
}

}  // namespace
}  // namespace orujo::internal

int main(int argc, char** argv) {
  return orujo::run(argc, argv,
                    "collaborative_filtering: factors of users and items, by matrix factorisation of ratings "
                    "(weighted edges).\n\n"
                    "  bin/orujo run collaborative_filtering --generate=uniform:14:weights=1..5 --symmetrize "
                    "--verify\n"
                    "  bin/orujo run -n 2 collaborative_filtering --graph=ratings.wel --symmetrize "
                    "--output=factors.txt",
                    &orujo::internal::main_task);
}
