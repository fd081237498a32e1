// Betweenness centrality by weights: how many shortest paths lead through each vertex, where the length of a
// path is the sum of its weights. The algorithm is Brandes, "A Faster Algorithm for Betweenness Centrality",
// Journal of Mathematical Sociology 25, 2001. Dijkstra's algorithm is replaced by delta-stepping, and its
// order of vertices by that of Kahn, "Topological Sorting of Large Networks", CACM 5, 1962.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "framework/algorithms/betweenness.hpp"
#include "framework/algorithms/centrality_state.hpp"
#include "framework/algorithms/counted_levels.hpp"
#include "framework/algorithms/path_lengths.hpp"
#include "framework/algorithms/scaled_number.hpp"
#include "framework/exchange/mirror_exchange.hpp"
#include "framework/exchange/mirror_values.hpp"
#include "framework/graph/distributed_graph.hpp"
#include "framework/graph/edge_forms.hpp"
#include "framework/graph/mirror_rows.hpp"
#include "system/base/status.hpp"
#include "system/loops/stop_flag.hpp"
#include "system/machine/huge_array.hpp"

namespace orujo::internal::algorithms {

// The forms of edges that weighted_betweenness requires, for load_from_flags().
inline constexpr graph::edge_forms weighted_betweenness_forms{
    .in_vectors = false, .in_rows = true, .out_rows = true, .arcs = true, .non_negative_weights = true};

// Any thread. Fails with `exit_status::bad_data` if a run by weights found edges that do not lengthen their
// shortest paths. The message begins with `who`.
status check_lengths(const centrality_report& run, std::string_view who);

// The class has the functions of betweenness_centrality. One task on every core constructs its part and runs
// it. The graph has in_rows and out_rows, in any form; edges without weights weigh 1.
//
// Two paths are equally long if their lengths are the same number. Lengths are summed from the source, in
// double precision, as by shortest_paths. So sums of whole numbers and of multiples of a power of two are
// compared exactly, up to 2^53 of their units. Others are sums of rounded weights: 0.1 + 0.2 differs from
// 0.3.
//
// An edge of a shortest path has to make it longer. A weight of 0 does not, nor does one that the rounding of
// the length loses. With such edges paths cannot be counted, so run() counts them (`flat_edges`) and ends.
//
// Numbers of paths may have any size, and the relative error of a score is that of betweenness_centrality,
// with L the most edges on a shortest path, and one more. Scores are the same to the bit on any number of
// locales and cores.
//
// The cores of a locale count the paths of vertices whose predecessors all have theirs, level by level, and
// go on without other locales as long as there are any. Then each vertex counted is sent to the locales that
// mirror it (ghost vertices), 20 bytes each, once forward and once back; the way back takes no reduction. One
// core works on levels with few edges, without barriers. A distance per mirror is sent before.
//
// Takes 40 bytes per own vertex and 40 per mirror beside the bins and rows of delta_stepping.
class weighted_betweenness {
 public:
  // [task; suspends; collective over the job] As of betweenness_centrality.
  weighted_betweenness(graph::locale_graph& g, std::span<double> scores, std::span<double> edge_scores = {});
  // [task; suspends; collective over the job] Begins with a barrier, because other cores may still be sending
  // to this object.
  ~weighted_betweenness();
  weighted_betweenness(const weighted_betweenness&) = delete;

  // [task; suspends; collective over the job] As of betweenness_centrality. The flag is read before each
  // source. If there are flat edges, the scores are of no use.
  centrality_report run(std::span<const std::uint64_t> sources, loops::stop_flag stop = {});

 private:
  // Values that the cores of a locale share.
  struct arena {
    explicit arena(const graph::locale_graph& g);
    machine::huge_array<double> searched;          // by local index, as delta_stepping leaves it
    machine::huge_array<double> distances;         // by local index
    machine::huge_array<scaled_number> values;     // by local index: paths, then (1 + dependency) / paths
    machine::huge_array<std::uint32_t> waits_for;  // by own vertex: tight in-edges from vertices not counted
  };

  // An edge is tight if it ends a shortest path.
  bool is_tight(std::uint32_t from, float weight, std::uint32_t to) const {
    return shared_->distances[from] + static_cast<double>(weight) == shared_->distances[to];
  }
  template <class Visit>
  void for_each_tight_in(std::uint32_t v, Visit visit) const;
  void find_distances(std::uint64_t source);
  void count_tight_edges();
  void count_paths(std::uint64_t source);
  void pass(std::uint32_t from);
  void pass_along(std::uint32_t from, float weight, std::uint32_t to);
  bool tell_counted();
  void go_back(std::uint64_t source);
  void turn(std::uint32_t v, bool is_source);
  void tell_back(std::size_t round);

  graph::locale_graph& graph_;
  const detail::centrality_scores scores_;
  const std::shared_ptr<arena> shared_;
  delta_stepping<double> stepping_;
  detail::counted_levels order_;
  exchange::mirror_exchange<double> distances_of_mirrors_;
  // On several locales:
  std::shared_ptr<const graph::weighted_mirror_rows> mirror_rows_;
  std::optional<exchange::mirror_values<scaled_number>> values_of_mirrors_;
  std::vector<std::uint32_t> told_;  // mirrors received in a round, by local index
  std::vector<std::size_t> counts_;  // by round: how many these were
  centrality_report report_;
};

}  // namespace orujo::internal::algorithms
