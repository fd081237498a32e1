// The PageRank of every vertex of a graph.
#include "framework/algorithms/pagerank.hpp"

#include <gflags/gflags.h>

#include <algorithm>
#include <cmath>
#include <type_traits>
#include <utility>
#include <vector>

#include "applications/harness/ranked.hpp"
#include "framework/algorithms/delta_pagerank.hpp"
#include "framework/device/pull.hpp"
#include "framework/device/selection.hpp"
#include "framework/gas/load.hpp"
#include "framework/gas/run.hpp"
#include "framework/vectors/sum_rounding.hpp"
#include "framework/verify/pagerank_oracle.hpp"
#include "framework/verify/rank_bounds.hpp"
#include "framework/verify/rank_comparison.hpp"
#include "system/base/flags.hpp"
#include "system/runtime/runtime.hpp"

DEFINE_double(damping, 0.85, "probability to follow an edge rather than to jump to a random vertex");
DEFINE_double(tolerance, 1e-6,
              "total change of the ranks (L1 norm) below which iteration stops; it also stops when all "
              "changes are rounding");
DEFINE_int32(iterations, 0,
             "exact number of iterations, whatever the tolerance; 0: until the tolerance is reached");
DEFINE_int32(max_iterations, 1000,
             "maximum number of iterations; reports `not converged` if the tolerance is not reached");
DEFINE_string(dangling, "redistribute",
              "treatment of the rank of vertices without out-edges: redistribute (over all vertices, so that "
              "ranks sum to 1) or ignore (it is lost)");
DEFINE_bool(delta, false,
            "send changes only: a vertex sends to its neighbours once its rank has changed by more than "
            "--tolerance of itself since it last did; stops when no vertex sends");
DEFINE_bool(
    weighted, false,
    "follow edges with probabilities in proportion to their weights, which must not be negative, instead "
    "of equal ones");
DEFINE_string(precision, "single", "precision of the ranks: single or double");
DEFINE_bool(rounded, false,
            "send other locales changes of ranks in 16 bits: half the bytes, and ranks that depend on the "
            "number of locales");

namespace orujo::internal {
namespace {

const base::flag_need device_need(
    {"device"}, [] { return !FLAGS_delta && !FLAGS_weighted; }, "without --delta and --weighted");
const base::flag_need placement_need(
    {"placement"}, [] { return !FLAGS_weighted; }, "without --weighted, which reads rows of out-edges");
const base::flag_need cpu_need(
    {"schedule", "chunk_vectors", "overlap"}, [] { return device::device_from_flags().may_be_cpu(); },
    "with --device=cpu or auto");
const flag_rule damping_rule(
    "damping", [] { return FLAGS_damping >= 0 && FLAGS_damping < 1; }, "from 0 to below 1");
const flag_rule iterations_rule(
    "iterations", [] { return FLAGS_iterations >= 0; }, "at least 0");
const flag_rule delta_rule(
    "delta",
    [] { return !FLAGS_delta || (FLAGS_iterations == 0 && FLAGS_tolerance > 0 && FLAGS_tolerance < 1); },
    "without --iterations, and with a --tolerance above 0 and below 1");
const flag_rule weighted_rule(
    "weighted", [] { return !FLAGS_weighted || !FLAGS_delta; }, "without --delta");
const base::flag_need delta_need(
    {"direction", "push_threshold"}, [] { return FLAGS_delta; }, "with --delta");
const base::flag_need tolerance_need(
    {"tolerance", "max_iterations"}, [] { return FLAGS_iterations == 0; }, "without --iterations");
const flag_rule most_rule(
    "max_iterations", [] { return FLAGS_max_iterations >= 1; }, "at least 1");
const flag_rule dangling_rule(
    "dangling", [] { return FLAGS_dangling == "redistribute" || FLAGS_dangling == "ignore"; },
    "redistribute or ignore");
const flag_rule precision_rule(
    "precision", [] { return FLAGS_precision == "single" || FLAGS_precision == "double"; },
    "single or double");
const flag_rule rounded_rule(
    "rounded", [] { return !FLAGS_rounded || (FLAGS_precision == "single" && !FLAGS_delta); },
    "without --delta and --precision=double");
const flag_rule tolerance_rule(
    "tolerance",
    [] {
      return FLAGS_tolerance >= 0 &&
             (FLAGS_iterations > 0 || FLAGS_precision == "double" || FLAGS_tolerance >= 5e-7);
    },
    "at least 5e-7 with --precision=single, whose rounding hides smaller changes; use --precision=double");

using algorithms::pagerank, algorithms::equal_shares, algorithms::shares_by_weight;

algorithms::pagerank_settings settings_of_flags() {
  return {FLAGS_damping, FLAGS_tolerance, FLAGS_iterations, FLAGS_dangling == "redistribute"};
}

struct outcome {
  gas::run_report run;
  double change = 0;
  std::uint64_t edges = 0;  // that carried ranks
  bool reached = true;      // the tolerance, if one is given
};

template <class Real>
outcome run_delta_pagerank(graph::distributed_graph graph, graph::property<Real> ranks) {
  const auto untold = graph::property<Real>::create(graph);
  const outcome of_core_0 = loops::on_all_cores([=] {
    graph::locale_graph& g = graph.here();
    algorithms::delta_pagerank<Real> program(g, ranks.here(), untold.here(), FLAGS_damping, FLAGS_tolerance);
    const gas::run_report run = gas::run(program, g,
                                         {.most_supersteps = FLAGS_max_iterations,
                                          .edges = vectors::edge_loop_options_from_flags(),
                                          .direction = steps::direction_options_from_flags()});
    if (FLAGS_dangling == "redistribute") program.finish(g.my_part().of(ranks.here()));
    return outcome{run, program.change, program.told, run.ended};
  });
  untold.destroy();
  return of_core_0;
}

template <class Real, class Shares>
outcome run_pagerank(graph::distributed_graph graph, graph::property<Real> ranks, const Shares& shares) {
  return loops::on_all_cores([=] {
    graph::locale_graph& g = graph.here();
    pagerank<Real, Shares> program(g, ranks.here(), settings_of_flags(), shares);
    const int most = FLAGS_iterations > 0 ? FLAGS_iterations : FLAGS_max_iterations;
    const gas::run_report run = gas::run(program, g,
                                         {.most_supersteps = most,
                                          .edges = vectors::edge_loop_options_from_flags(),
                                          .rounded = FLAGS_rounded,
                                          .device = device::device_from_flags()});
    const std::uint64_t edges = g.edges * static_cast<std::uint64_t>(run.supersteps);
    const bool reached = FLAGS_iterations > 0 || program.reaches_tolerance();
    return outcome{run, program.change, edges, reached};
  });
}

template <class Real>
verify::rank_arithmetic arithmetic_of(const verify::simple_graph& graph, const vectors::sum_shape& sums,
                                      bool on_gpu) {
  const auto most = static_cast<double>(graph.most_in_edges());
  constexpr double of_weights = 3;  // the product with one, and the sum of all
  return {.unit = std::is_same_v<Real, float> ? verify::single_unit : verify::double_unit,
          .sum_roundings =
              (on_gpu ? device::pull_roundings<Real>(most) : vectors::pull_roundings<Real>(sums, most)) +
              (FLAGS_weighted ? of_weights : 0),
          .damping = FLAGS_damping};
}

// The largest relative error of a change that travels between locales. On a grid totals are rounded, too.
double error_of_changes(const vectors::sum_shape& sums) {
  if (!FLAGS_rounded || locales() == 1) return 0;
  return sums.guest_totals > 0 ? verify::rounded_twice : verify::rounded_once;
}

// The serial oracle's ranks, from the input's own edges: after as many iterations or, with --delta, until
// they do not change. Also returns the allowed distance of the run's ranks.
template <class Real>
result<verify::rank_comparison> ask_oracle(const gas::run_report& run, const vectors::sum_shape& sums) {
  const auto made = harness::serial_graph(FLAGS_weighted);
  if (!made.ok()) return made.status();
  const verify::simple_graph& simple = made.value();
  verify::pagerank_options options{.damping = FLAGS_damping,
                                   .iterations = static_cast<unsigned>(run.supersteps),
                                   .dangling = FLAGS_dangling == "ignore"
                                                   ? verify::dangling_policy::ignore
                                                   : verify::dangling_policy::redistribute,
                                   .weighted = FLAGS_weighted,
                                   .error_of_changes = error_of_changes(sums)};
  if (FLAGS_delta)  // an error shrinks by the damping in every iteration
    options.iterations =
        FLAGS_damping > 0 ? static_cast<unsigned>(std::log(1e-13) / std::log(FLAGS_damping)) + 2 : 1;
  verify::pagerank_ranks exact = verify::pagerank(simple, options);
  const verify::rank_arithmetic how = arithmetic_of<Real>(simple, sums, run.on_gpu);
  std::vector<double> allowed =
      FLAGS_delta ? verify::rank_bounds_by_changes(exact, how, FLAGS_tolerance, run.supersteps)
                  : verify::rank_bounds(exact, how);
  return verify::rank_comparison(simple.ids(), std::move(exact.ranks), std::move(allowed));
}

template <class Real>
status report_ranks(graph::distributed_graph graph, graph::property<Real> ranks, const outcome& last,
                    files::output_file& output, harness::report& report) {
  const auto ask = [&] { return ask_oracle<Real>(last.run, vectors::shape_of_sums(graph)); };
  return harness::report_ranked(graph, ranks, "rank", ask, output, report);
}

// `run` is called for each trial.
template <class Real, class Run>
status run_trials(const graph::loaded_graph& loaded, const Run& run, files::output_file& output,
                  harness::report& report) {
  const auto ranks = graph::property<Real>::create(loaded.graph);
  outcome last;
  for (int trial = 0; trial < harness::trials(); ++trial) {
    last = run(ranks);
    report.trials.push_back({last.run.seconds, last.run.supersteps, last.edges});
    if (FLAGS_delta) report.trials.back().more = {{"edges_told", last.edges}, {"pushes", last.run.pushed}};
    const double seconds = last.run.seconds / std::max(last.run.supersteps, 1);
    harness::print("pagerank: {}, last change {:.1e}, {:.4f} s, {:.2f} ms per iteration, {} edges/s\n",
                   harness::counted(last.run.supersteps, "iteration"), last.change, last.run.seconds,
                   seconds * 1e3, harness::engineering(static_cast<double>(last.edges) / last.run.seconds));
    if (FLAGS_delta)
      harness::print("changes went along {}; {} of the iterations pushed them\n",
                     harness::counted(last.edges, "edge"), last.run.pushed);
  }
  if (!last.run.ended && FLAGS_iterations == 0) {
    harness::print("not converged: the tolerance of {} was not reached in {}\n", FLAGS_tolerance,
                   harness::counted(FLAGS_max_iterations, "iteration"));
  } else if (!last.reached) {
    harness::print(
        "the ranks do not converge further in {} precision: the remaining changes are rounding errors above "
        "the tolerance of {}\n",
        FLAGS_precision, FLAGS_tolerance);
  }
  const status done = report_ranks(loaded.graph, ranks, last, output, report);
  ranks.destroy();
  return done;
}

template <class Real>
status rank_vertices(const graph::loaded_graph& loaded, files::output_file& output, harness::report& report) {
  using ranks = graph::property<Real>;
  if (FLAGS_delta)
    return run_trials<Real>(
        loaded, [&](ranks to) { return run_delta_pagerank(loaded.graph, to); }, output, report);
  if (!FLAGS_weighted)
    return run_trials<Real>(
        loaded, [&](ranks to) { return run_pagerank(loaded.graph, to, equal_shares{}); }, output, report);
  if (status s = harness::require_weights(loaded); !s.ok()) return s;
  const auto weights = algorithms::sum_weights<Real>(loaded.graph);
  if (std::is_same_v<Real, float> && !weights.fit_single_precision())
    return {exit_status::usage,
            "the sum of a vertex's weights is beyond the range from 1e-20 to 1e20 of --precision=single: use "
            "--precision=double"};
  const shares_by_weight<Real> shares{weights.sums};
  status done = run_trials<Real>(
      loaded, [&](ranks to) { return run_pagerank(loaded.graph, to, shares); }, output, report);
  weights.sums.destroy();
  return done;
}

graph::edge_forms forms_of_flags() {
  using graph::without_weights;
  if (FLAGS_delta) return without_weights(gas::forms_for<algorithms::delta_pagerank<float>>());
  if (FLAGS_weighted) return algorithms::by_weight(gas::forms_for<pagerank<float>>());
  return without_weights(device::forms_on(device::device_from_flags(), gas::forms_for<pagerank<float>>()));
}

status main_task() {
  return harness::run_on_graph("pagerank", forms_of_flags(),
                               FLAGS_precision == "single" ? rank_vertices<float> : rank_vertices<double>);
}

}  // namespace
}  // namespace orujo::internal

int main(int argc, char** argv) {
  return orujo::run(argc, argv,
                    "pagerank: PageRank of every vertex of a graph.\n\n"
                    "  bin/orujo run pagerank --generate=kronecker:18 --verify\n"
                    "  bin/orujo run -n 2 pagerank --graph=web.txt.gz --output=ranks.txt",
                    &orujo::internal::main_task);
}
