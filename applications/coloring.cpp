// Colours for the vertices of an undirected graph such that no two neighbours have the same.
#include "framework/algorithms/coloring.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "applications/harness/graph_harness.hpp"
#include "framework/gas/load.hpp"
#include "framework/verify/coloring_oracle.hpp"
#include "system/delegates/call_on_all.hpp"
#include "system/runtime/runtime.hpp"

namespace orujo {
namespace {

using algorithms::coloring;

std::int32_t colors_of(graph::distributed_graph graph, gas::property<std::int32_t> colors) {
  std::int32_t all = 0;
  delegates::call_on_all(
      [=] {
        std::int32_t here = 0;
        for (const std::int32_t color : graph.here().my_part().of(colors.here()))
          here = std::max(here, color + 1);
        return here;
      },
      [&](core_id, std::int32_t here) { all = std::max(all, here); });
  return all;
}

// With the serial oracle's colours, and of the ends of every edge with each other.
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
    for (const std::uint64_t id : graph.ids()) hashes.push_back(coloring::hash(id));
    return verify::greedy_coloring(graph, hashes);
  }

  const verify::simple_graph graph_;
  verify::value_comparison<std::int32_t> colors_;
  std::vector<std::int32_t> found_;
};

status report_colors(graph::distributed_graph graph, gas::property<std::int32_t> colors, output_file& output,
                     harness::report& report) {
  std::optional<comparison> check;
  if (harness::verify()) {
    auto simple = harness::serial_graph();
    if (!simple.ok()) return simple.status();
    check.emplace(std::move(simple).value());
  }
  if (output.wanted() || check) {
    harness::visit_vertices(graph, colors, [&](const harness::vertex_values<std::int32_t>& part) {
      for (std::size_t k = 0; k < part.ids.size(); ++k) {
        if (output.wanted()) output.write(fmt::format("{} {}\n", part.label(k), part.values[k]));
        if (check) check->add(part.ids[k], part.values[k]);
      }
    });
  }
  if (status written = output.finish(); !written.ok()) return written;
  if (check) harness::tell_verdict(*check, report);
  return {};
}

status run_trials(const graph::loaded_graph& loaded, output_file& output, harness::report& report) {
  coloring program{gas::property<std::int32_t>::create(loaded.graph)};
  for (int trial = 0; trial < harness::trials(); ++trial) {
    const gas::run_report run =
        gas::run(program, loaded.graph, {.edges = engine::edge_loop_options_from_flags()});
    const std::int32_t colors = colors_of(loaded.graph, program.colors);
    const auto edges = loaded.edges * static_cast<std::uint64_t>(run.supersteps);
    report.trials.push_back({run.seconds, run.supersteps, edges, {{"colors", colors}}});
    harness::print("coloring: {}, {}, {:.4f} s\n", harness::counted(colors, "colour"),
                   harness::counted(run.supersteps, "iteration"), run.seconds);
  }
  const status done = report_colors(loaded.graph, program.colors, output, report);
  program.colors.destroy();
  return done;
}

status main_task() {
  if (status s = harness::wants_symmetrize("coloring"); !s.ok()) return s;
  return harness::run_on_graph("coloring", gas::forms_for<coloring>(), run_trials);
}

}  // namespace
}  // namespace orujo

int main(int argc, char** argv) {
  return orujo::run(argc, argv,
                    "coloring: colours for the vertices of an undirected graph such that no two neighbours "
                    "have the same.\n\n"
                    "  bin/orujo run coloring --generate=kronecker:18 --symmetrize --verify\n"
                    "  bin/orujo run -n 2 coloring --graph=web.txt.gz --symmetrize --output=colors.txt",
                    &orujo::main_task);
}
