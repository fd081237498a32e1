// Distances of vertices from each other, by breadth-first searches from up to 64 sources at once.
#include <gflags/gflags.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "applications/harness/graph_harness.hpp"
#include "applications/harness/sources.hpp"
#include "framework/algorithms/eccentricities.hpp"
#include "framework/gas/load.hpp"
#include "framework/verify/eccentricities_oracle.hpp"
#include "system/base/flags.hpp"
#include "system/runtime/runtime.hpp"

DEFINE_int32(sources, 64, "number of sampled sources, at most 64; a repeated sample counts once");

namespace orujo::internal {
namespace {

using algorithms::eccentricities;
using harness::search_source;

const flag_rule sources_rule(
    "sources", [] { return FLAGS_sources >= 1 && FLAGS_sources <= 64; }, "from 1 to 64");

// The sources in the order of their numbers, each once.
result<std::vector<search_source>> draw_sources(const graph::loaded_graph& loaded) {
  auto drawn = harness::choose_sources(loaded, FLAGS_sources);
  if (!drawn.ok()) return drawn;
  std::vector<search_source> sources = std::move(drawn).value();
  std::ranges::sort(sources, {}, &search_source::number);
  const auto repeated = std::ranges::unique(sources, {}, &search_source::number);
  sources.erase(repeated.begin(), repeated.end());
  return sources;
}

// Compares both results with the serial oracle's.
struct comparison {
  verify::value_comparison<std::int32_t> of_sources, distances;

  void add(std::uint64_t id, std::int32_t distance) { distances.add(id, distance); }
  bool agrees() const { return of_sources.agrees() && distances.agrees(); }
  std::string describe() const { return of_sources.describe() + "; " + distances.describe(); }
};

result<comparison> ask_oracle(const std::vector<search_source>& sources, const eccentricities& found) {
  const auto simple = harness::serial_graph();
  if (!simple.ok()) return simple.status();
  std::vector<std::size_t> positions;
  std::vector<std::uint64_t> ids;
  for (const search_source& s : sources) {
    positions.push_back(s.position);
    ids.push_back(s.id);
  }
  verify::expected_eccentricities expected = verify::find_eccentricities(simple.value(), positions);
  comparison check{{"eccentricities", ids, std::move(expected.of_source)},
                   {"distances", simple.value().ids(), std::move(expected.farthest)}};
  for (std::size_t k = 0; k < ids.size(); ++k) check.of_sources.add(ids[k], found.of_source[k]);
  return check;
}

status report_distances(const graph::loaded_graph& loaded, const std::vector<search_source>& sources,
                        const eccentricities& found, files::output_file& output, harness::report& report) {
  std::optional<comparison> check;
  if (harness::verify()) {
    auto made = ask_oracle(sources, found);
    if (!made.ok()) return made.status();
    check = std::move(made).value();
  }
  return harness::report_compared(loaded.graph, found.farthest, std::move(check), output, report);
}

// Prints the sources, the most eccentric first.
void print_sources(const std::vector<search_source>& sources, const eccentricities& found,
                   harness::report& report) {
  std::vector<std::size_t> order;
  for (std::size_t k = 0; k < sources.size(); ++k) order.push_back(k);
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) {
    return found.of_source[a] != found.of_source[b] ? found.of_source[a] > found.of_source[b]
                                                    : sources[a].position < sources[b].position;
  });
  base::json told = base::json::array();
  if (!order.empty()) harness::print("\n  {:>20}  eccentricity\n", "source");
  for (const std::size_t k : order) {
    harness::print("  {:>20}  {}\n", sources[k].label(), found.of_source[k]);
    told.push_back({{"source", sources[k].told()}, {"eccentricity", found.of_source[k]}});
  }
  report.further["eccentricities"] = std::move(told);
}

status find_eccentricities(const graph::loaded_graph& loaded, files::output_file& output,
                           harness::report& report) {
  report.columns = {"eccentricity"};
  const auto sources = draw_sources(loaded);
  if (!sources.ok()) return sources.status();
  std::vector<std::uint64_t> numbers;
  for (const search_source& s : sources.value()) numbers.push_back(s.number);
  const auto farthest = graph::property<std::int32_t>::create(loaded.graph);
  eccentricities found(numbers, {farthest});
  for (int trial = 0; trial < harness::trials(); ++trial) {
    found = eccentricities(numbers, {farthest});
    const gas::run_report run = gas::run(found, loaded.graph,
                                         {.edges = vectors::edge_loop_options_from_flags(),
                                          .direction = steps::direction_options_from_flags()});
    const std::int32_t diameter = std::ranges::max(found.of_source);
    report.trials.push_back(
        {run.seconds, run.supersteps, loaded.edges * numbers.size(), {{"diameter_at_least", diameter}}});
    harness::print("eccentricity: the diameter is at least {}, from {}, {:.4f} s\n", diameter,
                   harness::counted(numbers.size(), "source"), run.seconds);
  }
  print_sources(sources.value(), found, report);
  const status done = report_distances(loaded, sources.value(), found, output, report);
  farthest.destroy();
  return done;
}

status main_task() {
  return harness::run_on_graph("eccentricity", graph::without_weights(gas::forms_for<eccentricities>()),
                               find_eccentricities);
}

}  // namespace
}  // namespace orujo::internal

int main(int argc, char** argv) {
  return orujo::run(
      argc, argv,
      "eccentricity: eccentricities of sampled vertices, which bound the diameter from below.\n\n"
      "  bin/orujo run eccentricity --generate=kronecker:18 --symmetrize --verify\n"
      "  bin/orujo run -n 2 eccentricity --graph=web.txt.gz --symmetrize --output=distances.txt",
      &orujo::internal::main_task);
}
