#include "framework/algorithms/shortest_paths.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

#include "framework/gas/run.hpp"
#include "system/loops/collectives.hpp"

namespace orujo::algorithms {
namespace {

// Of a bin, as of --delta.
constexpr float narrowest = 1e-30f, widest = 1e30f;
// On several locales a bin costs more.
constexpr double widths = 1, widths_of_several_locales = 16;

constexpr float unreached = std::numeric_limits<float>::infinity();

// What a vertex shows is its distance so far.
struct relaxation {
  static constexpr bool incremental = true;
  using value = float;
  static constexpr auto combine = gas::minimum{};
  using aggregate = gas::nothing;

  template <class V>
  V gather(V distance, V weight) const {
    return distance + weight;
  }
  value start(const gas::vertex& v, aggregate&) { return distances[v.local] = starts(v) ? 0 : unreached; }
  bool starts(const gas::vertex& v) const { return v.number() == source; }
  bool apply(const gas::vertex& v, value total, value& shown, aggregate&) {
    if (total >= shown) return false;
    distances[v.local] = shown = total;
    return true;
  }
  void checkpoint(gas::program_state& kept) { kept.add_vertices("distance", distances); }
  value restored(const gas::vertex& v) { return distances[v.local]; }
  std::uint64_t priority(const gas::vertex&, value distance) const {
    return static_cast<std::uint64_t>(std::min(static_cast<double>(distance) / delta, 1e18));
  }

  float* distances;
  std::uint64_t source;
  double delta;
};

// [task; suspends; collective over the job] The mean weight over the mean degree of vertices with
// edges, as in Meyer and Sanders' analysis, where weights up to 1 are random and the width is 1 / degree. A
// width below the smallest weight only makes empty bins: nothing falls back into the current bin then.
float choose_delta(const graph::locale_graph& g) {
  if (!g.weighted) return locales() > 1 ? widest : 1;  // every round ends a bin there anyway
  struct {
    double weight = 0;
    std::uint64_t edges = 0, vertices = 0;
    float smallest = unreached;
  } all;
  const graph::adjacency& rows = *g.out_rows;
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
  const double delta =
      (locales() > 1 ? widths_of_several_locales : widths) * (all.weight / edges) / (edges / vertices);
  return std::clamp(std::max(static_cast<float>(delta), all.smallest), narrowest, widest);
}

}  // namespace

graph::edge_forms shortest_paths_forms() {
  const bool alone = locales() == 1;
  return {
      .in_vectors = !alone, .in_rows = false, .out_rows = true, .arcs = alone, .non_negative_weights = true};
}

shortest_paths::shortest_paths(graph::locale_graph& g, std::span<float> distances, float delta)
    : graph_(g), distances_(distances), delta_(delta) {
  if (delta_ == 0) delta_ = choose_delta(g);
  if (locales() == 1) on_one_locale_.emplace(g, distances, delta_);
}

paths_report shortest_paths::run(std::uint64_t source) {
  const auto start = std::chrono::steady_clock::now();
  paths_report report;
  if (on_one_locale_) {
    report.rounds = static_cast<int>(on_one_locale_->run(static_cast<std::uint32_t>(source)).rounds);
    loops::barrier();
  } else {
    relaxation program{distances_.data(), source, delta_};
    const gas::run_options options{.direction = engine::direction_options_from_flags()};
    report.rounds = gas::run(program, graph_, options).supersteps;
  }
  report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return report;
}

}  // namespace orujo::algorithms
