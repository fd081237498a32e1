// Neighbours sampled layer by layer, as graph neural networks learn from them.
#include "framework/algorithms/neighbour_sample.hpp"

#include <gflags/gflags.h>

#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>
#include <vector>

#include "applications/harness/edges.hpp"
#include "framework/algorithms/sample_positions.hpp"
#include "framework/verify/neighbour_sample_oracle.hpp"
#include "system/base/flags.hpp"
#include "system/runtime/runtime.hpp"

DEFINE_uint64(batch, 1024, "number of sampled seed vertices");
DEFINE_string(
    fanouts, "15,10,5",
    "numbers of edges that are drawn at a vertex of each layer, separated by commas; the first is that "
    "of the seeds; -1: all");
DEFINE_bool(replace, false, "draw with replacement, so that an edge may be there several times");
DEFINE_string(edge_dir, "in", "edges to draw: in (to the vertex) or out (from it)");
DEFINE_double(until, std::numeric_limits<double>::infinity(),
              "last time of edges that are drawn, in the unit of --time_column");
DEFINE_bool(latest, false, "draw the latest edges of each vertex, instead of any");
DEFINE_uint64(seed, 1, "seed of all random choices");

DECLARE_string(graph);
DECLARE_string(time_column);
DECLARE_string(weight_column);

namespace orujo::internal {
namespace {

bool is_timed() { return !FLAGS_time_column.empty(); }
const base::flag_need times_need({"until", "latest"}, is_timed, "with --time_column");
const base::flag_need time_need(
    {"time_column"}, [] { return FLAGS_latest || !std::isinf(FLAGS_until); }, "with --until or --latest");
const base::flag_need latest_need(
    {"latest"}, [] { return !FLAGS_replace; }, "without --replace");
const base::flag_need weights_need(
    {"weight_column", "ignore_weights"}, [] { return !is_timed(); }, "without --time_column");
const flag_rule until_rule(
    "until", [] { return !std::isnan(FLAGS_until); }, "a number");

std::optional<std::vector<std::int64_t>> fan_outs() {
  std::vector<std::int64_t> all;
  for (std::string_view rest = FLAGS_fanouts;;) {
    const std::string_view word = rest.substr(0, rest.find(','));
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
    if (error != std::errc() || end != word.data() + word.size() || number < -1 ||
        number > std::numeric_limits<std::int32_t>::max())
      return std::nullopt;
    all.push_back(number);
    if (word.size() == rest.size()) return all;
    rest.remove_prefix(word.size() + 1);
  }
}

const flag_rule fanouts_rule(
    "fanouts", [] { return fan_outs().has_value(); }, "numbers from -1 to 2147483647, separated by commas");
const flag_rule edge_dir_rule(
    "edge_dir", [] { return FLAGS_edge_dir == "in" || FLAGS_edge_dir == "out"; }, "in or out");

// [task; suspends] Each edge, in its direction, with its layer.
graph::edge_array<std::uint32_t> edges_of(const algorithms::neighbour_sample& found) {
  std::vector<graph::valued_edge<std::uint32_t>> edges;
  edges.reserve(found.edges.size());
  std::uint32_t layer = 0;
  for (const std::uint64_t count : found.edges_of_layer) {
    ++layer;
    for (std::uint64_t k = 0; k < count; ++k) {
      const algorithms::sampled_edge& e = found.edges[edges.size()];
      const std::uint64_t at = found.vertices[e.at], neighbour = found.vertices[e.neighbour];
      edges.push_back(FLAGS_edge_dir == "in" ? graph::valued_edge<std::uint32_t>{neighbour, at, layer}
                                             : graph::valued_edge<std::uint32_t>{at, neighbour, layer});
    }
  }
  const auto all = graph::edge_array<std::uint32_t>::create(edges.size());
  all.put(0, edges);
  return all;
}

status run_trials(const graph::loaded_graph& loaded, files::output_file& output, harness::report& report) {
  const auto seeds = algorithms::sample_positions(loaded.vertices, FLAGS_batch, FLAGS_seed);
  const std::vector<std::int64_t> layers = *fan_outs();
  const auto until = static_cast<float>(FLAGS_until);  // rounded as times are
  for (int trial = 1;; ++trial) {
    const algorithms::neighbour_sample found = algorithms::sample_neighbours(
        loaded.graph, seeds,
        {layers, FLAGS_replace, FLAGS_edge_dir == "in", FLAGS_seed, is_timed(), until, FLAGS_latest});
    report.trials.push_back({found.seconds,
                             static_cast<int>(layers.size()),
                             found.edges.size(),
                             {{"seeds", seeds.size()},
                              {"vertices", found.vertices.size()},
                              {"edges", found.edges.size()},
                              {"vertices_of_layer", found.vertices_of_layer},
                              {"edges_of_layer", found.edges_of_layer}}});
    harness::print("neighbour_sample: {}, {}, {}, {:.4f} s, {} edges/s\n",
                   harness::counted(seeds.size(), "seed"),
                   harness::counted(found.vertices.size(), "vertex", "vertices"),
                   harness::counted(found.edges.size(), "edge"), found.seconds,
                   harness::engineering(static_cast<double>(found.edges.size()) / found.seconds));
    if (trial < harness::trials()) continue;
    const graph::edge_array<std::uint32_t> edges = edges_of(found);
    const status done = harness::report_edges(
        loaded.graph, edges, {"sampled edges", "layer"},
        [&](const verify::simple_graph& simple) {
          return verify::sample_neighbours(simple, {{seeds.begin(), seeds.end()},
                                                    layers,
                                                    FLAGS_replace,
                                                    FLAGS_edge_dir == "in",
                                                    FLAGS_seed,
                                                    is_timed(),
                                                    static_cast<double>(until),
                                                    FLAGS_latest});
        },
        0, output, report);
    edges.destroy();
    return done;
  }
}

status main_task() {
  // Times are read as weights. The loader refuses the column of a generated graph.
  if (is_timed() && !FLAGS_graph.empty()) FLAGS_weight_column = FLAGS_time_column;
  return harness::run_on_graph("neighbour_sample",
                               {.in_vectors = false,
                                .in_rows = FLAGS_edge_dir == "in",
                                .out_rows = FLAGS_edge_dir == "out",
                                .weights = is_timed(),
                                .order = graph::requested_order::of_ids},  // else rows are sorted anew
                               run_trials);
}

}  // namespace
}  // namespace orujo::internal

int main(int argc, char** argv) {
  return orujo::run(
      argc, argv,
      "neighbour_sample: edges drawn around some vertices, layer by layer, for graph neural networks.\n\n"
      "  bin/orujo run neighbour_sample --generate=kronecker:18 --symmetrize --fanouts=15,10,5 --verify\n"
      "  bin/orujo run -n 2 neighbour_sample --graph=web.txt.gz --batch=64 --fanouts=10,-1 "
      "--output=edges.txt\n"
      "  bin/orujo run neighbour_sample --graph=messages.csv --time_column=time --until=1000 --latest",
      &orujo::internal::main_task);
}
