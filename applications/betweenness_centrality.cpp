// Betweenness centrality: the number of shortest paths through each vertex or edge, from some sources.
#include <fmt/format.h>
#include <gflags/gflags.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "applications/harness/edges.hpp"
#include "applications/harness/ranked.hpp"
#include "applications/harness/sources.hpp"
#include "framework/algorithms/betweenness.hpp"
#include "framework/algorithms/edge_betweenness.hpp"
#include "framework/algorithms/weighted_betweenness.hpp"
#include "framework/verify/betweenness_oracle.hpp"
#include "framework/verify/value_comparison.hpp"
#include "system/base/flags.hpp"
#include "system/collectives/collectives.hpp"
#include "system/runtime/runtime.hpp"

DEFINE_int32(sources, 4, "number of sampled sources; a repeated sample counts once");
DEFINE_bool(edges, false, "find the centrality of every edge instead of every vertex");
DEFINE_bool(weighted, false,
            "the length of a path is the sum of its weights, which must be above 0, instead of the number of "
            "its edges");

namespace orujo::internal {
namespace {

const flag_rule sources_rule(
    "sources", [] { return FLAGS_sources >= 1; }, "at least 1");
const base::flag_need top_need(
    {"top"}, [] { return !FLAGS_edges; }, "without --edges");

using algorithms::centrality_report;

// Samples the vertex numbers, each once, in the order drawn, and reports which they are.
result<std::vector<std::uint64_t>> draw_sources(const graph::loaded_graph& loaded, harness::report& report) {
  constexpr std::size_t most_shown = 16;
  const auto drawn = harness::choose_sources(loaded, FLAGS_sources);
  if (!drawn.ok()) return drawn.status();
  std::vector<std::uint64_t> numbers;
  std::string shown;
  base::json told = base::json::array();
  for (const harness::search_source& s : drawn.value()) {
    if (std::find(numbers.begin(), numbers.end(), s.number) != numbers.end()) continue;
    numbers.push_back(s.number);
    told.push_back(s.told());
    if (numbers.size() <= most_shown) shown += fmt::format("{}{}", shown.empty() ? "" : ", ", s.label());
  }
  if (numbers.size() > most_shown) shown += fmt::format(" and {} more", numbers.size() - most_shown);
  harness::print("betweenness_centrality: from {}\n", shown);
  report.further["sources"] = std::move(told);
  return numbers;
}

// Leaves the scores of the last trial.
template <class Centrality>
std::vector<centrality_report> run_trials(graph::distributed_graph graph, graph::property<double> scores,
                                          const std::vector<std::uint64_t>& sources) {
  return loops::on_all_cores(
      [=](const std::vector<std::uint64_t>& here) {
        Centrality centrality(graph.here(), scores.here());
        std::vector<centrality_report> reports;
        for (int trial = 0; trial < harness::trials(); ++trial) reports.push_back(centrality.run(here));
        return reports;
      },
      sources);
}

verify::path_lengths path_lengths() {
  return FLAGS_weighted ? verify::path_lengths::weights : verify::path_lengths::edges;
}

// The sources as the oracles call them.
std::vector<std::size_t> positions_of(graph::distributed_graph graph,
                                      const std::vector<std::uint64_t>& sources) {
  std::vector<std::size_t> positions;
  for (const std::uint64_t number : sources) positions.push_back(graph.here().numbers.position(number));
  return positions;
}

status report_scores(graph::distributed_graph graph, graph::property<double> scores,
                     const std::vector<std::uint64_t>& sources, files::output_file& output,
                     harness::report& report) {
  using comparison = verify::value_comparison<double>;
  const auto ask_oracle = [&]() -> result<comparison> {
    const auto simple = harness::serial_graph(FLAGS_weighted);
    if (!simple.ok()) return simple.status();
    verify::expected_scores expected =
        verify::betweenness(simple.value(), positions_of(graph, sources), path_lengths());
    return comparison("scores", simple.value().ids(), std::move(expected.scores), expected.relative_error);
  };
  return harness::report_ranked(graph, scores, "score", ask_oracle, output, report);
}

// Fails if there is no result.
status note_trial(const graph::loaded_graph& loaded, const centrality_report& trial, std::size_t sources,
                  harness::report& report) {
  report.trials.push_back(
      {trial.seconds, static_cast<int>(sources), loaded.edges * sources, {{"reached", trial.reached}}});
  const std::string steps =
      FLAGS_weighted ? harness::counted(trial.rounds, "round") : harness::counted(trial.levels, "level");
  if (status lengths = algorithms::check_lengths(trial, "--weighted"); !lengths.ok()) return lengths;
  harness::print("betweenness_centrality: {}, {} reached in all, {}, {:.4f} s\n",
                 harness::counted(sources, "source"), harness::counted(trial.reached, "vertex", "vertices"),
                 steps, trial.seconds);
  return {};
}

status find_edge_centrality(const graph::loaded_graph& loaded, const std::vector<std::uint64_t>& sources,
                            files::output_file& output, harness::report& report) {
  for (int trial = 1;; ++trial) {
    const algorithms::edge_centrality found =
        algorithms::edge_betweenness(loaded.graph, sources, {.weighted = FLAGS_weighted});
    status done = note_trial(loaded, found.report, sources.size(), report);
    if (done.ok() && trial == harness::trials()) {
      verify::expected_edge_scores expected;
      const bool undirected = loaded.graph.here().symmetric;
      if (harness::verify()) {
        const auto simple = harness::serial_graph(FLAGS_weighted);
        if (!simple.ok()) return simple.status();
        expected = verify::edge_betweenness(simple.value(), positions_of(loaded.graph, sources), undirected,
                                            path_lengths());
      }
      done = harness::report_edges(
          loaded.graph, found.edges, {"scores", "score"},
          [&](const verify::simple_graph&) { return expected.edges; }, expected.relative_error, output,
          report);
    }
    found.edges.destroy();
    if (!done.ok() || trial == harness::trials()) return done;
  }
}

status find_centrality(const graph::loaded_graph& loaded, files::output_file& output,
                       harness::report& report) {
  if (FLAGS_weighted && !loaded.graph.here().weighted)
    return {exit_status::usage, "--weighted requires a graph with weights: load one, or leave it out"};
  const auto sources = draw_sources(loaded, report);
  if (!sources.ok()) return sources.status();
  if (FLAGS_edges) return find_edge_centrality(loaded, sources.value(), output, report);
  const auto scores = graph::property<double>::create(loaded.graph);
  const auto trials =
      FLAGS_weighted ? run_trials<algorithms::weighted_betweenness>(loaded.graph, scores, sources.value())
                     : run_trials<algorithms::betweenness_centrality>(loaded.graph, scores, sources.value());
  status done;
  for (std::size_t k = 0; k < trials.size() && done.ok(); ++k)
    done = note_trial(loaded, trials[k], sources.value().size(), report);
  if (done.ok()) done = report_scores(loaded.graph, scores, sources.value(), output, report);
  scores.destroy();
  return done;
}

status main_task() {
  graph::edge_forms forms{.in_vectors = false, .in_rows = true, .out_rows = true, .weights = false};
  if (FLAGS_weighted) forms = algorithms::weighted_betweenness_forms;
  return harness::run_on_graph("betweenness_centrality", forms, find_centrality);
}

}  // namespace
}  // namespace orujo::internal

int main(int argc, char** argv) {
  return orujo::run(
      argc, argv,
      "betweenness_centrality: approximate betweenness centrality of every vertex, from sampled sources. "
      "With --edges, of every edge.\n\n"
      "  bin/orujo run betweenness_centrality --generate=kronecker:16 --symmetrize --verify\n"
      "  bin/orujo run -n 2 betweenness_centrality --graph=web.txt.gz --sources=64 --output=scores.txt",
      &orujo::internal::main_task);
}
