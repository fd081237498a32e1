// Personalized PageRank: the proximity of vertices to one of them, or to each of several.
#include "framework/algorithms/personalized_pagerank.hpp"

#include <gflags/gflags.h>

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "applications/harness/ranked.hpp"
#include "applications/harness/sources.hpp"
#include "framework/gas/load.hpp"
#include "framework/results/edges.hpp"
#include "framework/results/ordered_values.hpp"
#include "framework/vectors/sum_rounding.hpp"
#include "framework/verify/personalized_pagerank_oracle.hpp"
#include "framework/verify/rank_bounds.hpp"
#include "system/base/flags.hpp"
#include "system/containers/sort.hpp"
#include "system/runtime/runtime.hpp"

DEFINE_double(damping, 0.85, "probability to follow an edge rather than to return to the source");
DEFINE_double(tolerance, 1e-6, "total change of the ranks (L1 norm) below which iteration stops");
DEFINE_int32(max_iterations, 1000,
             "maximum number of iterations; reports `not converged` if the tolerance is not reached");
DEFINE_bool(
    weighted, false,
    "follow edges with probabilities in proportion to their weights, which must not be negative, instead "
    "of equal ones");
DEFINE_int32(
    sources, 1,
    "number of sampled sources, each with ranks of its own; a repeated sample counts once. With more "
    "than 1, --output has the --top vertices of each source");

namespace orujo::internal {
namespace {

const flag_rule damping_rule(
    "damping", [] { return FLAGS_damping >= 0 && FLAGS_damping < 1; }, "from 0 to below 1");
const flag_rule tolerance_rule(
    "tolerance", [] { return FLAGS_tolerance >= 0; }, "at least 0");
const flag_rule most_rule(
    "max_iterations", [] { return FLAGS_max_iterations >= 1; }, "at least 1");
const flag_rule sources_rule(
    "sources", [] { return FLAGS_sources >= 1; }, "at least 1");

using algorithms::equal_shares, algorithms::rank_lanes, algorithms::shares_by_weight;
using comparison = verify::value_comparison<double>;
using harness::search_source;

// The relative error that ranks may have. Each is a sum with this number of roundings.
double error_of(const verify::simple_graph& simple, double roundings, int iterations) {
  constexpr double of_weights = 3;  // the product with one, and the sum of all
  const verify::rank_arithmetic how{verify::double_unit, roundings + (FLAGS_weighted ? of_weights : 0),
                                    FLAGS_damping};
  return (iterations + 1) * verify::error_of_iteration(how, static_cast<double>(simple.vertex_count()));
}
comparison compare_from(const verify::simple_graph& simple, const search_source& source, int iterations,
                        double roundings) {
  return comparison("ranks", simple.ids(),
                    verify::personalized_pagerank(simple, {{source.position, 1.0}}, FLAGS_damping, iterations,
                                                  FLAGS_weighted),
                    error_of(simple, roundings, iterations));
}

gas::run_options options_of_flags() {
  return {.most_supersteps = FLAGS_max_iterations, .edges = vectors::edge_loop_options_from_flags()};
}

void tell_if_unfinished(const gas::run_report& run) {
  if (!run.ended)
    harness::print("not converged: the tolerance of {} was not reached in {}\n", FLAGS_tolerance,
                   harness::counted(FLAGS_max_iterations, "iteration"));
}

template <class Shares>
status rank_from_one(const graph::loaded_graph& loaded, const Shares& shares, const search_source& source,
                     files::output_file& output, harness::report& report) {
  const auto ranks = graph::property<double>::create(loaded.graph);
  const auto restarts = algorithms::restarts_at(loaded.graph, {{source.number, 1}});
  gas::run_report run;
  for (int trial = 0; trial < harness::trials(); ++trial) {
    algorithms::personalized_pagerank_by<Shares> program{ranks, restarts, FLAGS_damping, FLAGS_tolerance,
                                                         0,     0,        shares};
    run = gas::run(program, loaded.graph, options_of_flags());
    const auto edges = loaded.edges * static_cast<std::uint64_t>(run.supersteps);
    report.trials.push_back({run.seconds, run.supersteps, edges, {{"source", source.told()}}});
    harness::print("personalized_pagerank: source {}, {}, last change {:.1e}, {:.4f} s, {} edges/s\n",
                   source.label(), harness::counted(run.supersteps, "iteration"), program.change, run.seconds,
                   harness::engineering(static_cast<double>(edges) / run.seconds));
  }
  tell_if_unfinished(run);
  const auto ask = [&]() -> result<comparison> {
    const auto simple = harness::serial_graph(FLAGS_weighted);
    if (!simple.ok()) return simple.status();
    const double roundings = vectors::pull_roundings<double>(
        vectors::shape_of_sums(loaded.graph), static_cast<double>(simple.value().most_in_edges()));
    return compare_from(simple.value(), source, run.supersteps, roundings);
  };
  const status done = harness::report_ranked(loaded.graph, ranks, "rank", ask, output, report);
  restarts.destroy();
  ranks.destroy();
  return done;
}

// The results from several sources.
struct many_ranks {
  std::vector<graph::valued_edge<double>> highest;
  std::size_t verified = 0, wrong = 0;  // sources
  std::string first_wrong;
};

// Verifies the ranks from source k of a group, and takes the highest ones.
void take_ranks(const graph::loaded_graph& loaded, graph::property<rank_lanes> ranks, std::size_t k,
                const search_source& source, int iterations, const verify::simple_graph* simple,
                many_ranks& to) {
  const auto some = algorithms::highest_ranks(loaded.graph, ranks, k, source.position,
                                              static_cast<std::size_t>(harness::top()));
  to.highest.insert(to.highest.end(), some.begin(), some.end());
  if (!simple) return;
  const auto of_source = graph::property<double>::create(loaded.graph);
  algorithms::copy_ranks(loaded.graph, ranks, k, of_source);
  const auto ordered = results::ordered_values<double>::create(loaded.graph, of_source);
  comparison check = compare_from(*simple, source, iterations,
                                  vectors::row_roundings(static_cast<double>(simple->most_in_edges())));
  ordered.visit([&](const results::vertex_values<double>& part) {
    for (std::size_t i = 0; i < part.ids.size(); ++i) check.add(part.ids[i], part.values[i]);
  });
  ordered.destroy();
  of_source.destroy();
  ++to.verified;
  if (!check.agrees() && to.wrong++ == 0) to.first_wrong = check.describe();
}

status report_many(const graph::loaded_graph& loaded, const many_ranks& found, files::output_file& output,
                   harness::report& report) {
  if (output.wanted()) {
    const auto edges = loops::on_all_cores([all = found.highest.data(), count = found.highest.size()] {
      const bool mine = my_core() == 0;
      return graph::edge_array<double>::of(std::span(mine ? all : nullptr, mine ? count : 0));
    });
    containers::sort(edges);
    results::write_edges(loaded.graph, edges, output, harness::output_row_format(), "rank");
    edges.destroy();
  }
  if (status written = output.finish(); !written.ok()) return written;
  if (found.verified == 0) return {};
  report.verified = found.wrong == 0;
  if (found.wrong == 0) {
    harness::print("\nverified the ranks from all {} are the serial oracle's\n",
                   harness::counted(found.verified, "source"));
  } else {
    harness::print("\nNOT VERIFIED the ranks from {} differ: {}\n", harness::counted(found.wrong, "source"),
                   found.first_wrong);
  }
  return {};
}

template <class Shares>
status rank_from_many(const graph::loaded_graph& loaded, const Shares& shares,
                      const std::vector<search_source>& sources, files::output_file& output,
                      harness::report& report) {
  std::optional<verify::simple_graph> simple;
  if (harness::verify()) {
    auto made = harness::serial_graph(FLAGS_weighted);
    if (!made.ok()) return made.status();
    simple = std::move(made).value();
  }
  const auto ranks = graph::property<rank_lanes>::create(loaded.graph);
  many_ranks found;
  for (int trial = 1; trial <= harness::trials(); ++trial) {
    gas::run_report all;
    for (std::size_t first = 0; first < sources.size(); first += rank_lanes::count) {
      const auto some =
          std::span(sources).subspan(first, std::min(rank_lanes::count, sources.size() - first));
      algorithms::personalized_pageranks_by<Shares> program{ranks,           {}, some.size(), FLAGS_damping,
                                                            FLAGS_tolerance, 0,  {},          shares};
      for (std::size_t k = 0; k < some.size(); ++k) program.sources[k] = some[k].number;
      const gas::run_report run = gas::run(program, loaded.graph, options_of_flags());
      all.seconds += run.seconds;
      all.supersteps += run.supersteps;
      all.ended = all.ended && run.ended;
      if (trial < harness::trials()) continue;
      for (std::size_t k = 0; k < some.size(); ++k)
        take_ranks(loaded, ranks, k, some[k], run.supersteps, simple ? &*simple : nullptr, found);
    }
    const auto edges = loaded.edges * static_cast<std::uint64_t>(all.supersteps);
    report.trials.push_back({all.seconds, all.supersteps, edges});
    harness::print("personalized_pagerank: {}, {} of {} at a time, {:.4f} s, {:.1f} ms a source\n",
                   harness::counted(sources.size(), "source"), harness::counted(all.supersteps, "iteration"),
                   rank_lanes::count, all.seconds, 1e3 * all.seconds / static_cast<double>(sources.size()));
    if (trial == harness::trials()) tell_if_unfinished(all);
  }
  ranks.destroy();
  return report_many(loaded, found, output, report);
}

// The sources, each once, in the order drawn.
result<std::vector<search_source>> choose_sources(const graph::loaded_graph& loaded) {
  auto drawn = harness::choose_sources(loaded, FLAGS_sources);
  if (!drawn.ok()) return drawn.status();
  std::vector<search_source> sources;
  for (search_source& s : drawn.value()) {
    if (std::ranges::find(sources, s.number, &search_source::number) == sources.end())
      sources.push_back(std::move(s));
  }
  if (sources.empty()) return status(exit_status::usage, "the graph has no vertex to start from");
  return sources;
}

template <class Shares>
status rank_by(const graph::loaded_graph& loaded, const Shares& shares,
               const std::vector<search_source>& sources, files::output_file& output,
               harness::report& report) {
  if (FLAGS_sources > 1) return rank_from_many(loaded, shares, sources, output, report);
  return rank_from_one(loaded, shares, sources.front(), output, report);
}

status rank_vertices(const graph::loaded_graph& loaded, files::output_file& output, harness::report& report) {
  const auto sources = choose_sources(loaded);
  if (!sources.ok()) return sources.status();
  if (!FLAGS_weighted) return rank_by(loaded, equal_shares{}, sources.value(), output, report);
  if (status s = harness::require_weights(loaded); !s.ok()) return s;
  const auto weights = algorithms::sum_weights<double>(loaded.graph);
  status done = rank_by(loaded, shares_by_weight<double>{weights.sums}, sources.value(), output, report);
  weights.sums.destroy();
  return done;
}

status main_task() {
  const graph::edge_forms forms = FLAGS_sources > 1 ? gas::forms_for<algorithms::personalized_pageranks>()
                                                    : gas::forms_for<algorithms::personalized_pagerank>();
  return harness::run_on_graph("personalized_pagerank",
                               FLAGS_weighted ? algorithms::by_weight(forms) : graph::without_weights(forms),
                               rank_vertices);
}

}  // namespace
}  // namespace orujo::internal

int main(int argc, char** argv) {
  return orujo::run(
      argc, argv,
      "personalized_pagerank: personalized PageRank from a source vertex, or from each of several.\n\n"
      "  bin/orujo run personalized_pagerank --generate=kronecker:18 --verify\n"
      "  bin/orujo run -n 2 personalized_pagerank --graph=web.txt.gz --source=17 --output=ranks.txt\n"
      "  bin/orujo run personalized_pagerank --graph=web.txt.gz --sources=64 --top=20 --output=near.txt",
      &orujo::internal::main_task);
}
