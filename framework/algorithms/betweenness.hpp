// Betweenness centrality: how many shortest paths lead through each vertex. The algorithm is Brandes, "A
// Faster Algorithm for Betweenness Centrality", Journal of Mathematical Sociology 25, 2001. It goes from
// level to level as in Madduri, Ediger, Jiang, Bader, Chavarria-Miranda, "A Faster Parallel Algorithm and
// Efficient Multithreaded Implementations for Evaluating Betweenness Centrality on Massive Datasets", IPDPS
// 2009. Unlike theirs, it keeps no lists of successors.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <vector>

#include "framework/algorithms/centrality_mirrors.hpp"
#include "framework/algorithms/centrality_search.hpp"
#include "framework/algorithms/centrality_state.hpp"
#include "framework/graph/distributed_graph.hpp"
#include "framework/graph/mirror_rows.hpp"
#include "system/loops/stop_flag.hpp"

namespace orujo::internal::algorithms {

// The figures of a run of betweenness_centrality or weighted_betweenness.
struct centrality_report {
  double seconds = 0;
  int levels = 0;             // of the deepest search; not by weights
  std::uint64_t reached = 0;  // vertices, over all searches
  // By weights only: rounds of shortest paths, over all searches, and the edges of shortest paths from one
  // source that do not lengthen these. If there are any, the run ended there, and there is no result.
  std::uint64_t rounds = 0, flat_edges = 0;
  bool ended = true;  // false: it was stopped, and there is no result
};

// Betweenness centrality: the share of shortest paths that lead through each vertex. One task on every core
// constructs its part and runs it. The graph has in_rows and out_rows. Weights are ignored, and parallel
// edges are different paths. Numbers of paths may have any size: near the end of double's range, as on large
// meshes, they are scaled (algorithms/centrality_search.hpp).
//
// With at most d edges at a vertex, L levels and s sources, the relative error of a score is at most (3 L (d
// + 8) + s) 2^-53. Scores below the smallest normal double have that error relative to this double.
//
// The cores of a locale share its values and take chunks of a level. A level costs one reduction of the job
// on the way forward, and barriers of the locale on the way back. With several locales, up to eight sources'
// searches go side by side and share the reductions, if they have many small levels. A vertex takes 12 bytes
// in messages to each locale that mirrors it, once forward and once back.
//
// A search takes this memory:
// - 16 bytes per local index of the locale,
// - 4 bytes and 1 bit per own vertex,
// - with several locales, 4 bytes per mirror of two levels,
// - with several locales, at most 12 bytes per mirror for values that arrive on the way back before this
//   locale is ready for them.
//
// Scaled numbers take 8 bytes more per local index, and messages of twice the size. All searches share the
// places and rows of mirrors (mirror_places.hpp, mirror_rows.hpp).
class betweenness_centrality {
 public:
  // [task; suspends; collective over the job] `scores` is the locale's array, by own vertex, and has to
  // outlive the object.
  //
  // If `edge_scores` are wanted, they are the locale's array by slot of its out_rows. The score of an edge is
  // that of the paths that lead along it. On the way back a search then takes a level more.
  betweenness_centrality(const graph::locale_graph& g, std::span<double> scores,
                         std::span<double> edge_scores = {});
  // [task; suspends; collective over the job] Begins with a barrier, because other cores may still be sending
  // to this object.
  ~betweenness_centrality();
  betweenness_centrality(const betweenness_centrality&) = delete;

  // [task; suspends; collective over the job] Sets the scores. A vertex's score is the sum, over all pairs of
  // a source and another vertex, of the share of shortest paths between them that lead through it, both ends
  // excluded. `sources` has the numbers of vertices, the same at every core. In a symmetric graph a path and
  // its reverse count as two. The flag is read after 64 sources or a few more.
  centrality_report run(std::span<const std::uint64_t> sources, loops::stop_flag stop = {});

 private:
  void make_room(std::size_t searches);
  std::size_t search(std::span<const std::uint64_t> sources);
  std::size_t begin(std::span<const std::uint64_t> sources, std::size_t place);
  void find(std::span<detail::centrality_search* const> searches);
  void enter(std::span<detail::centrality_search* const> searches);
  void measure_paths(std::span<detail::centrality_search* const> searches);
  void go_back(std::size_t count);
  void go_back(detail::centrality_search& one);

  const graph::locale_graph& graph_;
  bool with_edges() const { return !scores_.of_edges.empty(); }

  const detail::centrality_scores scores_;
  const std::shared_ptr<std::deque<detail::centrality_state>> shared_;  // by search
  const std::shared_ptr<const graph::mirror_rows> mirror_rows_;         // null where there is one locale
  detail::centrality_mirrors mirrors_;
  const std::uint64_t bits_per_level_;  // by which numbers of paths may grow at a level
  std::vector<detail::centrality_search> searches_;
  std::vector<detail::centrality_search*> running_;
  bool side_by_side_ = false;  // searches begin together, as the last ones had many small levels
  centrality_report report_;
};

}  // namespace orujo::internal::algorithms
