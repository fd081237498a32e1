// How many shortest paths lead through each vertex: Brandes, "A Faster Algorithm for Betweenness Centrality",
// Journal of Mathematical Sociology 25, 2001; from level to level as in Madduri, Ediger, Jiang, Bader,
// Chavarria-Miranda, "A Faster Parallel Algorithm and Efficient Multithreaded Implementations for Evaluating
// Betweenness Centrality on Massive Datasets", IPDPS 2009, but without their lists of successors.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "framework/algorithms/centrality_mirrors.hpp"
#include "framework/algorithms/centrality_state.hpp"
#include "framework/engine/frontier_size.hpp"
#include "framework/graph/distributed_graph.hpp"
#include "framework/graph/mirror_rows.hpp"
#include "system/machine/isa.hpp"

namespace orujo::algorithms {

struct centrality_report {
  double seconds = 0;
  int levels = 0;             // of the deepest search
  std::uint64_t reached = 0;  // vertices, over all searches
};

// One core's part, made and used by one task per core. The graph has in_rows and out_rows; weights do not
// count, parallel edges are different paths. Numbers of paths are doubles: where one exceeds 1e308, as on
// large meshes, scores are infinite or no numbers.
//
// The cores of a locale share its values and take chunks of a level; forward a level costs one reduction, and
// back, with several locales, none. Between locales travel 12 bytes for a vertex and locale that mirrors it,
// once forward and once back. Takes, per local index of the locale, 16 bytes; per own vertex 4 bytes and 1
// bit and, with several locales, what places and rows of mirrors take (mirror_places.hpp, mirror_rows.hpp), 4
// per mirror of two levels, and for what comes on the way back before this locale is ready for it, at most 12
// per mirror.
class betweenness_centrality {
 public:
  // [task; suspends; collective over the job] scores: the locale's, by own vertex.
  betweenness_centrality(const graph::locale_graph& g, std::span<double> scores);
  // [task; suspends; collective over the job] Nobody may still send here when it goes.
  ~betweenness_centrality();
  betweenness_centrality(const betweenness_centrality&) = delete;

  // [task; suspends; collective over the job] Makes the scores the sums, over the sources (numbers of
  // vertices, the same at every core), of the share of shortest paths from the source to any other vertex
  // that leads through a vertex, both ends excluded. In a symmetric graph a path and its reverse are two.
  centrality_report run(std::span<const std::uint64_t> sources);

 private:
  using level_size = engine::frontier_counts;

  void search(std::uint64_t source);
  void start(std::uint64_t source);
  template <bool Alone>
  void push();
  void pull();
  void push_alone();
  void count_paths(std::size_t level);
  void go_back();
  void go_back_from(std::size_t level);
  std::vector<std::uint32_t>& list(std::size_t level);
  template <class Visit>
  void take_vertices(detail::shares_by_parity& shares, std::size_t level, Visit visit);
  void offer(std::size_t level);
  void enter(std::size_t level);
  bool would_pull() const;

  const graph::locale_graph& graph_;
  const std::span<double> scores_;
  const machine::instruction_set isa_ = machine::simd_from_flags();
  const std::shared_ptr<detail::centrality_state> shared_;
  const bool alone_;                                             // the only core of its locale
  const std::size_t chunk_;                                      // vertices
  const std::shared_ptr<const graph::mirror_rows> mirror_rows_;  // null where there is one locale
  detail::centrality_step step_;
  detail::centrality_mirrors mirrors_;

  std::vector<std::vector<std::uint32_t>> levels_;  // own vertices of the locale that this core has found
  // The same at every core.
  std::vector<bool> found_alone_;  // by level: all in the list of the locale's first core
  std::size_t level_ = 0;          // the frontier's
  level_size frontier_;
  std::uint64_t unseen_edges_ = 0;  // out-edges of vertices in no level before the frontier
  bool counted_ = false;            // whether the frontier has its numbers of paths
  centrality_report report_;
};

}  // namespace orujo::algorithms
