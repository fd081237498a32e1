#include "framework/algorithms/shortest_paths.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

#include "framework/algorithms/out_rows.hpp"
#include "framework/gas/graph_checkpoints.hpp"
#include "framework/gas/program.hpp"
#include "system/loops/collectives.hpp"

namespace orujo::algorithms {
namespace {

// Of a bin, as of --delta.
constexpr float narrowest = 1e-30f, widest = 1e30f;
constexpr float unreached = std::numeric_limits<float>::infinity();

// [task; suspends; collective over the job] The mean weight over the edges that lead on from a vertex with
// edges: all but the one that it was found by. So a path goes on within its bin by one edge, as in Meyer and
// Sanders' analysis, where weights up to 1 are random and the width is 1 / degree; that one edge counts where
// there are few. A width below the smallest weight only makes empty bins: nothing falls back into the current
// bin then.
float choose_delta(const graph::locale_graph& g) {
  if (!g.weighted) return 1;
  struct {
    double weight = 0;
    std::uint64_t edges = 0, vertices = 0;
    float smallest = unreached;
  } all;
  const graph::adjacency& rows = out_rows_of(g, "shortest_paths");
  for (std::uint32_t v = g.my_part().first; v < g.my_part().last; ++v) {
    all.vertices += rows.degree(v) > 0 ? 1 : 0;
    for (std::uint64_t k = rows.offsets[v]; k < rows.offsets[v + 1]; ++k) {
      const float weight = rows.arcs.size() > 0 ? rows.arcs[k].weight : rows.weights[k];
      all.weight += static_cast<double>(weight);
      all.smallest = std::min(all.smallest, weight);
    }
  }
  all.edges = rows.offsets[g.my_part().last] - rows.offsets[g.my_part().first];
  all = loops::all_reduce(all, [](auto a, const auto& b) {
    return decltype(a){a.weight + b.weight, a.edges + b.edges, a.vertices + b.vertices,
                       std::min(a.smallest, b.smallest)};
  });
  if (all.weight == 0) return 1;
  const auto edges = static_cast<double>(all.edges), vertices = static_cast<double>(all.vertices);
  const double onward = std::max(edges / vertices - 1, 1.0);  // of a vertex: all but the edge back
  const double delta = (all.weight / edges) / onward;
  return std::clamp(std::max(static_cast<float>(delta), all.smallest), narrowest, widest);
}

}  // namespace

graph::edge_forms shortest_paths_forms(bool on_several_locales) {
  return {.in_vectors = false,
          .in_rows = on_several_locales,
          .out_rows = true,
          .arcs = true,
          .non_negative_weights = true};
}

shortest_paths::shortest_paths(graph::locale_graph& g, std::span<float> distances, float delta)
    : graph_(g),
      distances_(distances),
      delta_(delta > 0 ? delta : choose_delta(g)),
      stepping_(g, distances, delta_) {}

void shortest_paths::step_from(std::uint64_t source) {
  stepping_.start(source);
  gas::detail::run_progress far{.active = 1, .active_out_edges = graph_.edges};
  gas::nothing no_sums;
  gas::graph_checkpoints checkpoints(graph_);
  // As the vertex program has it that finds paths on several locales.
  const auto name = [&](gas::program_state& kept) {
    far.supersteps = static_cast<std::int32_t>(stepping_.report().rounds);
    kept.add("run", far);
    kept.add("sums", no_sums);
    kept.add_vertices("distance", distances_.data());
  };
  if (checkpoints.resume(name)) stepping_.start_again(static_cast<std::uint64_t>(far.supersteps));
  do checkpoints.step(stepping_.report().rounds, name);
  while (stepping_.step());
}

paths_report shortest_paths::run(std::uint64_t source) {
  const auto start = std::chrono::steady_clock::now();
  paths_report report;
  step_from(source);
  report.rounds = static_cast<int>(stepping_.report().rounds);
  report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return report;
}

}  // namespace orujo::algorithms
