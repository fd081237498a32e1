// How many shortest paths lead through each vertex: Brandes, "A Faster Algorithm for Betweenness Centrality",
// Journal of Mathematical Sociology 25, 2001; from level to level as in Madduri, Ediger, Jiang, Bader,
// Chavarria-Miranda, "A Faster Parallel Algorithm and Efficient Multithreaded Implementations for Evaluating
// Betweenness Centrality on Massive Datasets", IPDPS 2009, but without their lists of successors.
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

namespace orujo::algorithms {

// The figures of a run of betweenness_centrality.
struct centrality_report {
  double seconds = 0;
  int levels = 0;             // of the deepest search
  std::uint64_t reached = 0;  // vertices, over all searches
};

// Betweenness centrality: the share of shortest paths that lead through each vertex. One task on every core
// makes its part and runs it. The graph has in_rows and out_rows. Weights do not count, and parallel edges
// are different paths. Numbers of paths may have any size: near the end of double's range, as on large
// meshes, they are scaled (algorithms/centrality_search.hpp).
//
// With at most d edges at a vertex, L levels and s sources, the relative error of a score is at most (3 L (d
// + 8) + s) 2^-53. Scores below the smallest normal double have that error relative to it.
//
// The cores of a locale share its values and take chunks of a level; forward a level costs one reduction, and
// back, with several locales, none. There up to eight sources' searches go side by side, and share these, if
// they have many small levels. Between locales travel 12 bytes for a vertex and locale that mirrors it, once
// forward and once back. A search takes, per local index of the locale, 16 bytes; per own vertex 4 bytes and
// 1 bit and, with several locales, 4 per mirror of two levels, and for what comes on the way back before this
// locale is ready for it, at most 12 per mirror. Scaled numbers take 8 bytes more per local index, and
// messages of twice the size. All of them take what places and rows of mirrors do (mirror_places.hpp,
// mirror_rows.hpp).
class betweenness_centrality {
 public:
  // [task; suspends; collective over the job] `scores` are the locale's, by own vertex, and have to outlive
  // the object.
  betweenness_centrality(const graph::locale_graph& g, std::span<double> scores);
  // [task; suspends; collective over the job] Nobody may still send here when it goes.
  ~betweenness_centrality();
  betweenness_centrality(const betweenness_centrality&) = delete;

  // [task; suspends; collective over the job] Makes the scores the sums, over the sources (numbers of
  // vertices, the same at every core), of the share of shortest paths from the source to any other vertex
  // that leads through a vertex, both ends excluded. In a symmetric graph a path and its reverse are two.
  centrality_report run(std::span<const std::uint64_t> sources);

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
  const std::span<double> scores_;
  const std::shared_ptr<std::deque<detail::centrality_state>> shared_;  // by search
  const std::shared_ptr<const graph::mirror_rows> mirror_rows_;         // null where there is one locale
  detail::centrality_mirrors mirrors_;
  const std::uint64_t bits_per_level_;  // by which numbers of paths may grow
  std::vector<detail::centrality_search> searches_;
  std::vector<detail::centrality_search*> running_;
  bool side_by_side_ = false;  // whether searches begin together: those before had many small levels
  centrality_report report_;
};

}  // namespace orujo::algorithms
