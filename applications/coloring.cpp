// Colours for the vertices of an undirected graph such that no two neighbours have the same.
#include "framework/algorithms/coloring.hpp"

#include <optional>
#include <utility>
#include <vector>

#include "applications/harness/graph_harness.hpp"
#include "framework/verify/coloring_oracle.hpp"
#include "system/runtime/runtime.hpp"

namespace orujo::internal {
namespace {

using algorithms::coloring_order;

// Compares the colours with the serial oracle's, and those of the ends of every edge with each other.
class comparison {
 public:
  explicit comparison(verify::simple_graph graph)
      : graph_(std::move(graph)), colors_("colours", graph_.ids(), expected(graph_)) {}

  void add(std::uint64_t id, std::int32_t color) {
    colors_.add(id, color);
    found_.push_back(color);
  }
  bool agrees() const { return colors_.agrees() && verify::count_conflicts(graph_, found_) == 0; }
  std::string describe() const {
    return colors_.describe() + (agrees() ? ", and no edge has ends of the same" : "");
  }

 private:
  static std::vector<std::int32_t> expected(const verify::simple_graph& graph) {
    std::vector<std::uint64_t> hashes;
    for (const std::uint64_t id : graph.ids()) hashes.push_back(coloring_order::hash(id));
    return verify::greedy_coloring(graph, hashes);
  }

  const verify::simple_graph graph_;
  verify::value_comparison<std::int32_t> colors_;
  std::vector<std::int32_t> found_;
};

status report_colors(graph::distributed_graph graph, graph::property<std::int32_t> colors,
                     files::output_file& output, harness::report& report) {
  std::optional<comparison> check;
  if (harness::verify()) {
    auto simple = harness::serial_graph();
    if (!simple.ok()) return simple.status();
    check.emplace(std::move(simple).value());
  }
  return harness::report_compared(graph, colors, std::move(check), output, report);
}

status run_trials(const graph::loaded_graph& loaded, files::output_file& output, harness::report& report) {
  report.columns = {"color"};
  const auto colors = graph::property<std::int32_t>::create(loaded.graph);
  algorithms::coloring coloring(loaded.graph, colors);
  for (int trial = 0; trial < harness::trials(); ++trial) {
    const algorithms::coloring_report found =
        coloring.run({.edges = vectors::edge_loop_options_from_flags()});
    report.trials.push_back({found.seconds, 1, loaded.edges, {{"colors", found.colors}}});
    harness::print("coloring: {}, {:.4f} s\n", harness::counted(found.colors, "colour"), found.seconds);
  }
  const status done = report_colors(loaded.graph, colors, output, report);
  colors.destroy();
  return done;
}

status main_task() {
  if (status s = harness::require_symmetrize(); !s.ok()) return s;
  return harness::run_on_graph("coloring", graph::without_weights(gas::forms_for<coloring_order>()),
                               run_trials);
}

}  // namespace
}  // namespace orujo::internal

int main(int argc, char** argv) {
  return orujo::run(
      argc, argv,
      "coloring: greedy colouring of an undirected graph, with different colours for neighbours.\n\n"
      "  bin/orujo run coloring --generate=kronecker:18 --symmetrize --verify\n"
      "  bin/orujo run -n 2 coloring --graph=web.txt.gz --symmetrize --output=colors.txt",
      &orujo::internal::main_task);
}
