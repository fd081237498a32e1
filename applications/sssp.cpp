// Single-source shortest paths.
#include <fmt/format.h>
#include <gflags/gflags.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "applications/harness/graph_harness.hpp"
#include "applications/harness/sources.hpp"
#include "framework/algorithms/shortest_paths.hpp"
#include "framework/verify/shortest_paths_oracle.hpp"
#include "framework/verify/value_comparison.hpp"
#include "system/base/flags.hpp"
#include "system/collectives/collectives.hpp"
#include "system/runtime/runtime.hpp"

DEFINE_double(delta, 0, "width of the distance bins; 0: chosen from weights and degrees");

namespace orujo::internal {
namespace {

const flag_rule delta_rule(
    "delta", [] { return FLAGS_delta == 0 || (FLAGS_delta >= 1e-30 && FLAGS_delta <= 1e30); },
    "0, or from 1e-30 to 1e30");

using algorithms::paths_report;

// The figures of a trial at core 0.
struct search {
  paths_report run;
  std::uint64_t reached = 0;
  std::uint64_t edges = 0;  // out of the vertices reached
  double longest = 0;
};
// The figures of all trials.
struct searches {
  std::vector<search> trials;
  float delta = 0;
  // The distances of the last trial have the precision of a float, and are written so.
  bool rounded = false;
};

// Summarises the distances of the calling core's vertices.
search summarise(const graph::locale_graph& g, const algorithms::shortest_paths& paths) {
  search mine;
  for (std::uint32_t v = g.my_part().first; v < g.my_part().last; ++v) {
    const double distance = paths.distance(v);
    if (distance == std::numeric_limits<double>::infinity()) continue;
    ++mine.reached;
    mine.edges += g.out_degree[v];
    mine.longest = std::max(mine.longest, distance);
  }
  return mine;
}

// Leaves the distances of the last trial.
searches run_trials(graph::distributed_graph graph, graph::property<double> distances,
                    const std::vector<harness::search_source>& sources) {
  std::vector<std::uint64_t> numbers;
  for (const harness::search_source& source : sources) numbers.push_back(source.number);
  return loops::on_all_cores(
      [=](const std::vector<std::uint64_t>& numbers_here) {
        searches found;
        graph::locale_graph& g = graph.here();
        algorithms::shortest_paths paths(g, static_cast<float>(FLAGS_delta));
        for (const std::uint64_t source : numbers_here) {
          const paths_report run = paths.run(source);
          const search all = collectives::all_reduce(summarise(g, paths), [](search a, const search& b) {
            a.reached += b.reached;
            a.edges += b.edges;
            a.longest = std::max(a.longest, b.longest);
            return a;
          });
          found.trials.push_back({run, all.reached, all.edges, all.longest});
        }
        paths.write(distances.here());
        found.delta = paths.delta();
        found.rounded = paths.weights().are_rounded() && !found.trials.empty() &&
                        found.trials.back().longest <= static_cast<double>(std::numeric_limits<float>::max());
        return found;
      },
      numbers);
}

template <class Distance>
status report_distances(graph::distributed_graph graph, graph::property<Distance> distances,
                        std::size_t source, files::output_file& output, harness::report& report) {
  std::optional<verify::value_comparison<Distance>> check;
  if (harness::verify()) {
    const auto simple = harness::serial_graph(graph.here().weighted);
    if (!simple.ok()) return simple.status();
    const verify::expected_distances expected = verify::precise_distances(simple.value(), source);
    const double rounding = std::is_same_v<Distance, float> ? 0x1p-24 : 0;
    check.emplace("distances", simple.value().ids(),
                  std::vector<Distance>(expected.distances.begin(), expected.distances.end()),
                  expected.relative_error + 2 * rounding);
  }
  return harness::report_compared(graph, distances, std::move(check), output, report);
}

// Reports distances with the digits of single precision.
status report_rounded(graph::distributed_graph graph, graph::property<double> distances, std::size_t source,
                      files::output_file& output, harness::report& report) {
  const auto rounded = graph::property<float>::create(graph);
  loops::on_all_cores([=] {
    for (std::uint32_t v = graph.here().my_part().first; v < graph.here().my_part().last; ++v)
      rounded.here()[v] = static_cast<float>(distances.here()[v]);
  });
  const status done = report_distances(graph, rounded, source, output, report);
  rounded.destroy();
  return done;
}

// Formats a length with as many digits as distances have.
std::string told_length(double length, bool rounded) {
  return rounded ? fmt::format("{}", static_cast<float>(length)) : fmt::format("{}", length);
}

status find_paths(const graph::loaded_graph& loaded, files::output_file& output, harness::report& report) {
  report.columns = {"distance"};
  const auto sources = harness::choose_sources(loaded, harness::trials());
  if (!sources.ok()) return sources.status();
  const auto distances = graph::property<double>::create(loaded.graph);
  const searches all = run_trials(loaded.graph, distances, sources.value());
  double seconds = 0;
  for (std::size_t k = 0; k < all.trials.size(); ++k) {
    const search& s = all.trials[k];
    report.trials.push_back({s.run.seconds,
                             s.run.rounds,
                             s.edges,
                             {{"source", sources.value()[k].told()}, {"reached", s.reached}}});
    seconds += s.run.seconds;
    harness::print("sssp: from {}, {} reached, longest distance {}, {:.2f} ms, {}\n",
                   sources.value()[k].label(), harness::counted(s.reached, "vertex", "vertices"),
                   told_length(s.longest, all.rounded), s.run.seconds * 1e3,
                   harness::counted(s.run.rounds, "round"));
  }
  if (!all.trials.empty())
    harness::print("mean: {:.2f} ms of {}{}\n", seconds * 1e3 / static_cast<double>(all.trials.size()),
                   harness::counted(all.trials.size(), "trial"),
                   all.delta > 0 ? fmt::format(", delta {}", all.delta) : "");
  const std::size_t last = sources.value().empty() ? 0 : sources.value().back().position;
  const status done = all.rounded ? report_rounded(loaded.graph, distances, last, output, report)
                                  : report_distances(loaded.graph, distances, last, output, report);
  distances.destroy();
  return done;
}

status main_task() { return harness::run_on_graph("sssp", algorithms::shortest_paths_forms(), find_paths); }

}  // namespace
}  // namespace orujo::internal

int main(int argc, char** argv) {
  return orujo::run(argc, argv,
                    "sssp: shortest paths from a source vertex to all others.\n\n"
                    "  bin/orujo run sssp --generate=kronecker:18:weights=1..255 --symmetrize --verify\n"
                    "  bin/orujo run -n 2 sssp --graph=roads.wel --source=17 --output=distances.txt",
                    &orujo::internal::main_task);
}
