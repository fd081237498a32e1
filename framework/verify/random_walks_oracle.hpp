// Random walks, one after the other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "framework/verify/simple_graph.hpp"

namespace orujo::internal::verify {

struct walk_plan {
  std::uint64_t walks = 0;       // from vertices that they draw first
  std::uint64_t per_vertex = 0;  // where walks is 0: from every vertex, in their order
  std::uint32_t length = 0;
  std::uint64_t seed = 0;
  double p = 1, q = 1;    // of node2vec
  bool weighted = false;  // edges are drawn by weight
  // Types of all vertices, and those along a walk. Walks start at vertices of the first type, which is the
  // last one, too, and stands for both where the metapath begins again. There is no bias.
  std::vector<std::uint32_t> types = {}, metapath = {};
  bool timed = false;  // weights are times, which do not descend; without weighted and bias
};

// The vertices of walk w. It draws from random_stream(seed, w), in every step one of the out-edges; it ends
// if there is none that weighs more than 0. Edges that it may take are in the order of their targets, with
// times of these first. With p or q, from its second step on, a share of
//
//   the weight of edges back / p, and that of other edges * max(1, 1/q)
//
// decides whether it goes back. If not, it draws one of the other edges, which is accepted if another share
// of max(1, 1/q) is below the edge's 1 or 1/q. Otherwise it draws all again. A share is 53 bits of a number.
std::vector<std::size_t> find_walk(const simple_graph& graph, const walk_plan& plan, std::uint64_t w);

// How often walks are at each vertex, where they begin among them.
std::vector<std::uint64_t> count_visits(const simple_graph& graph, const walk_plan& plan);

// The exact probability of each vertex as the next one of a walk that is at `at`, and was at `before`. Empty
// if the walk ends there. Draws nothing.
std::vector<double> step_probabilities(const simple_graph& graph, const walk_plan& plan, std::size_t at,
                                       std::optional<std::size_t> before);

// Compares walks with those of find_walk().
class walk_comparison {
 public:
  walk_comparison(const simple_graph& graph, const walk_plan& plan);

  // The next walk: its vertices, and -1 after its last one.
  void add(std::span<const std::int64_t> walk);

  // Call it after all have been added.
  bool agrees() const { return seen_ == expected_ && different_ == 0; }
  std::string describe() const;

 private:
  const simple_graph& graph_;
  const walk_plan plan_;
  const std::vector<std::size_t> starts_;
  const std::uint64_t expected_;
  std::uint64_t seen_ = 0, different_ = 0, first_ = 0;  // first_: that differs
};

}  // namespace orujo::internal::verify
