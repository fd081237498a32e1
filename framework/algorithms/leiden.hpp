// Communities of an undirected graph by modularity: the Leiden algorithm, and Louvain's.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "framework/graph/distributed_graph.hpp"
#include "framework/graph/property.hpp"
#include "system/base/call_site.hpp"
#include "system/loops/stop_flag.hpp"

namespace orujo::internal::algorithms {

// Louvain leaves out the refinement. So its communities may be disconnected, and its levels are fewer.
enum class community_method { leiden, louvain };

// The quality of a partition is a sum over all pairs of vertices u and v of one community: the weight of
// their edge less what is expected. It is divided by 2m, the weight of all edges counted at both ends, and is
// 0 without edges. A loop counts twice. With the resolution r the expectation is
//
//   modularity                 r k(u) k(v) / 2m     k: weight of a vertex's edges
//   constant Potts model, cpm  r
//
// Modularity is by Newman, Girvan 2004, the resolution by Reichardt, Bornholdt 2006, and the constant Potts
// model by Traag, Van Dooren, Nesterov 2011.
enum class community_quality { modularity, cpm };

// The method of leiden(), the quality that it maximises, and its effort.
struct leiden_options {
  community_method method = community_method::leiden;
  community_quality quality = community_quality::modularity;
  double resolution = 1;
  std::uint64_t seed = 1;  // of the order of moves, and of choices between equal communities
  int iterations = 2;      // of all levels; another one starts at the communities of the last
  int max_levels = std::numeric_limits<int>::max();  // of the last iteration: the communities of that level
  // A sweep over vertices that improves the quality by less is the last of its level.
  double tolerance = 1e-3;
  // Vertices and edges of a level that core 0 finishes, or begins. By default 2^14 on one locale, and 2^20 on
  // several, where cores wait longer for each other.
  std::optional<std::uint64_t> serial_below = {};
  loops::stop_flag stop = {};  // once it is set, no other sweep follows
};

// A level: its vertices are communities of the level below, or parts of them. Loops are not counted.
struct leiden_level {
  std::uint64_t vertices, edges, communities;
  int sweeps;
};

// The figures of a run of leiden().
struct leiden_report {
  std::vector<leiden_level> levels = {};  // of the last iteration
  int sweeps = 0;                         // of all iterations
  std::uint64_t communities = 0;
  double quality = 0;
  double seconds = 0;
  bool ended = true;  // false: it was stopped, and the communities are those of that moment
};

// [task at core 0; suspends] Sets the label of every vertex to the smallest position (numbering.hpp) in its
// community. The graph is symmetric and has rows of edges; an edge without weight weighs 1, and no weight is
// negative. The result is the same on any number of locales and cores if sums of weights are exact. They are
// if weights are multiples of a number, and their sum is below 2^53 times that.
//
// Traag, Waltman, van Eck, "From Louvain to Leiden: guaranteeing well-connected communities", Scientific
// Reports 9, 2019. Each level moves vertices to better communities, cuts communities into connected parts,
// and makes these the vertices of the next one. Louvain (Blondel, Guillaume, Lambiotte, Lefebvre, "Fast
// unfolding of communities in large networks", 2008) does not cut them. Communities of Leiden are connected,
// unless `max_levels` or `stop` ends it early.
//
// It departs from the papers: vertices move in random classes (community_moves.hpp), and refinement takes the
// best part instead of a random one.
//
// Takes about 40 bytes per vertex, 12 to 20 per edge of each level but the lowest, and between locales as
// much again per mirror. A move costs 64 bytes to each other locale.
leiden_report leiden(graph::distributed_graph graph, graph::property<std::uint64_t> labels,
                     const leiden_options& options = {}, const call_site& at = call_site::current());

// [task at core 0; suspends] The quality of the partition of the vertices by label, a position below the
// number of vertices, by the options' quality and resolution.
double partition_quality(graph::distributed_graph graph, graph::property<std::uint64_t> labels,
                         const leiden_options& options = {}, const call_site& at = call_site::current());

}  // namespace orujo::internal::algorithms
