// Single-source shortest paths.
#include <fmt/format.h>
#include <gflags/gflags.h>

#include <algorithm>
#include <limits>

#include "applications/harness/graph_harness.hpp"
#include "applications/harness/sources.hpp"
#include "framework/algorithms/shortest_paths.hpp"
#include "framework/verify/shortest_paths_oracle.hpp"
#include "system/base/flags.hpp"
#include "system/loops/collectives.hpp"
#include "system/runtime/runtime.hpp"

DEFINE_double(delta, 0, "width of the bins of distances; 0: chosen by the weights and degrees");

namespace orujo {
namespace {

const flag_rule delta_rule(
    "delta", [] { return FLAGS_delta == 0 || (FLAGS_delta >= 1e-30 && FLAGS_delta <= 1e30); },
    "0, or from 1e-30 to 1e30");

using algorithms::paths_report;

// What core 0 learns of a trial.
struct search {
  paths_report run;
  float delta = 0;
  std::uint64_t reached = 0;
  std::uint64_t edges = 0;  // out of the vertices reached
  float longest = 0;
};

// Of the calling core's vertices.
search summarise(const graph::locale_graph& g, std::span<const float> distances) {
  search mine;
  for (std::uint32_t v = g.my_part().first; v < g.my_part().last; ++v) {
    if (distances[v] == std::numeric_limits<float>::infinity()) continue;
    ++mine.reached;
    mine.edges += g.out_degree[v];
    mine.longest = std::max(mine.longest, distances[v]);
  }
  return mine;
}

std::vector<search> run_trials(graph::distributed_graph graph, gas::property<float> distances,
                               const std::vector<harness::search_source>& sources) {
  return loops::on_all_cores([=, from = sources.data(), count = sources.size()] {
    std::vector<search> found;
    graph::locale_graph& g = graph.here();
    algorithms::shortest_paths paths(g, distances.here(), static_cast<float>(FLAGS_delta));
    for (std::size_t trial = 0; trial < count; ++trial) {
      const std::uint64_t source = loops::broadcast(my_core() == 0 ? from[trial].number : 0, 0);
      const paths_report run = paths.run(source);
      const search all = loops::all_reduce(summarise(g, distances.here()), [](search a, const search& b) {
        a.reached += b.reached;
        a.edges += b.edges;
        a.longest = std::max(a.longest, b.longest);
        return a;
      });
      found.push_back({run, paths.delta(), all.reached, all.edges, all.longest});
    }
    return found;
  });
}

status find_paths(const graph::loaded_graph& loaded, output_file& output, harness::report& report) {
  report.columns = {"distance"};
  const auto sources = harness::choose_sources(loaded, harness::trials());
  if (!sources.ok()) return sources.status();
  const auto distances = gas::property<float>::create(loaded.graph);
  const std::vector<search> searches = run_trials(loaded.graph, distances, sources.value());
  double seconds = 0;
  for (std::size_t k = 0; k < searches.size(); ++k) {
    const search& s = searches[k];
    report.trials.push_back({s.run.seconds,
                             s.run.rounds,
                             s.edges,
                             {{"source", sources.value()[k].told()}, {"reached", s.reached}}});
    seconds += s.run.seconds;
    harness::print("sssp: from {}, {} vertices reached, longest distance {}, {:.2f} ms, {}\n",
                   sources.value()[k].label(), harness::grouped(s.reached), s.longest, s.run.seconds * 1e3,
                   harness::counted(s.run.rounds, "round"));
  }
  if (!searches.empty())
    harness::print("mean: {:.2f} ms of {}{}\n", seconds * 1e3 / static_cast<double>(searches.size()),
                   harness::counted(static_cast<int>(searches.size()), "trial"),
                   searches[0].delta > 0 ? fmt::format(", delta {}", searches[0].delta) : "");
  const std::uint64_t last = sources.value().empty() ? 0 : sources.value().back().position;
  const status done = harness::report_values(
      loaded.graph, distances, "distances",
      [last](const verify::simple_graph& simple) {
        return verify::shortest_paths(simple, static_cast<std::size_t>(last));
      },
      output, report);
  distances.destroy();
  return done;
}

status main_task() { return harness::run_on_graph("sssp", algorithms::shortest_paths_forms(), find_paths); }

}  // namespace
}  // namespace orujo

int main(int argc, char** argv) {
  return orujo::run(argc, argv,
                    "sssp: the distances of all vertices of a graph from one of them.\n\n"
                    "  bin/orujo run sssp --generate=kronecker:18:weights=1..255 --symmetrize --verify\n"
                    "  bin/orujo run -n 2 sssp --graph=roads.wel --source=17 --output=distances.txt",
                    &orujo::main_task);
}
