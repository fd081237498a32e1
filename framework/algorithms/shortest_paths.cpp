#include "framework/algorithms/shortest_paths.hpp"

#include <algorithm>
#include <chrono>
#include <functional>

#include "framework/gas/program.hpp"
#include "framework/graph/graph_checkpoints.hpp"
#include "framework/graph/kept_forms.hpp"
#include "framework/graph/placed_array.hpp"
#include "system/collectives/collectives.hpp"

namespace orujo::internal::algorithms {
namespace {

template <class Distance>
constexpr Distance unreached = path_lengths<Distance>::unreached;

// [task; suspends; collective over the job] Returns whether any finite distance is `end` or more. The barrier
// comes first because other cores of the locale may still lower distances of this core's vertices.
template <class Distance>
bool any_from(const graph::locale_graph& g, std::span<const Distance> distances, Distance end) {
  collectives::barrier(collectives::group::locale);
  const auto mine = distances.subspan(g.my_part().first, g.my_part().last - g.my_part().first);
  const bool here =
      std::ranges::any_of(mine, [end](Distance d) { return d >= end && d < unreached<Distance>; });
  return collectives::all_reduce(here ? 1 : 0) > 0;
}

}  // namespace

graph::edge_forms shortest_paths_forms(bool on_several_locales) {
  return {.in_vectors = false,
          .in_rows = on_several_locales,
          .out_rows = true,
          .arcs = true,
          .non_negative_weights = true};
}

shortest_paths::shortest_paths(graph::locale_graph& g, float delta, path_precision precision)
    : graph_(graph::require_forms(g, {.in_rows = locales() > 1, .out_rows = true, .in_arrays = false},
                                  "shortest_paths:")),
      precision_(precision),
      weights_(find_weight_facts(g)),
      delta_(delta > 0 ? delta : weights_.bin_width()),
      in_double_(precision == path_precision::exact && weights_.largest > weights_.exact_below()) {
  in_double_ ? prepare(double_stepping_, doubles_) : prepare(single_stepping_, singles_);
}

// Makes the arrays and the search of a precision, once, before the first run in it.
template <class Distance>
void shortest_paths::prepare(std::optional<delta_stepping<Distance>>& stepping, array<Distance>& distances) {
  if (stepping) return;
  distances = graph::share_placed<Distance>(graph_);
  stepping.emplace(graph_, of(distances), path_lengths<Distance>(delta_));
}

// Returns false if the search is given up because a distance has reached `end`. It checks for such distances
// once: when all distances below `end` are final, and only if later bins have been worked off.
template <class Distance>
bool shortest_paths::search(delta_stepping<Distance>& stepping, std::span<Distance> distances,
                            std::uint64_t source, Distance end) {
  begin_at(stepping, graph_, distances, source);
  graph::run_progress far{.active = 1, .active_out_edges = graph_.edges};
  gas::nothing no_sums;
  graph::graph_checkpoints checkpoints(graph_);
  const auto name = [&](graph::program_state& kept) {
    far.supersteps = static_cast<std::int32_t>(stepping.report().rounds);
    kept.add("run", far);
    kept.add("sums", no_sums);
    kept.add_vertices("distance", distances.data());
  };
  if (checkpoints.resume(name)) {
    stepping.clear();
    for (std::uint32_t v = graph_.my_part().first; v < graph_.my_part().last; ++v) {
      if (distances[v] < unreached<Distance>) stepping.add(v);
    }
    stepping.agree(static_cast<std::uint64_t>(far.supersteps));
  }
  const std::uint64_t last_bin = path_lengths<Distance>(delta_).bin_of(end);
  bool looked = end == unreached<Distance>, goes_on = true;
  while (goes_on) {
    checkpoints.step(stepping.report().rounds, name);
    goes_on = stepping.step();
    if (looked || stepping.end() <= last_bin || stepping.settled() <= last_bin) continue;
    looked = true;
    if (any_from<Distance>(graph_, distances, end)) return false;
  }
  return true;
}

paths_report shortest_paths::run(std::uint64_t source) {
  const auto start = std::chrono::steady_clock::now();
  paths_report report;
  const auto rounds_of = [](const auto& stepping) { return static_cast<int>(stepping.report().rounds); };
  if (!in_double_) {
    const float end = precision_ == path_precision::exact ? weights_.exact_below() : unreached<float>;
    in_double_ = !search(*single_stepping_, of(singles_), source, end);
    report.rounds += rounds_of(*single_stepping_);
  }
  if (in_double_) {
    prepare(double_stepping_, doubles_);
    search(*double_stepping_, of(doubles_), source, unreached<double>);
    report.rounds += rounds_of(*double_stepping_);
  }
  report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return report;
}

}  // namespace orujo::internal::algorithms
