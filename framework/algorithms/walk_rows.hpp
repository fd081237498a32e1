// Rows of out-edges from which random walks choose.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "framework/algorithms/random_walks.hpp"
#include "framework/graph/distributed_graph.hpp"
#include "system/base/random.hpp"
#include "system/loops/forall.hpp"
#include "system/machine/huge_array.hpp"

namespace orujo::internal::algorithms::detail {

// Uniform in [0, 1).
inline double draw_share(random_stream& random) { return static_cast<double>(random() >> 11) * 0x1p-53; }

// Out-edges of a vertex, in the order of walk_rows.
struct walk_row {
  std::span<const std::uint32_t> targets;  // local indices
  const double* sums;                      // of weights, from the first edge on; null where each weighs 1

  // The weight of the edges [first, last).
  double weight(index_range edges) const {
    if (!sums) return static_cast<double>(edges.size());
    const auto up_to = [this](std::size_t k) { return k == 0 ? 0 : sums[k - 1]; };
    return up_to(edges.last) - up_to(edges.first);
  }
  double weight() const { return weight({0, targets.size()}); }

  // Draws one of the edges outside `left_out`, with a probability in proportion to its weight. Some of them
  // weigh more than 0. Rounding may return an edge of `left_out`, with a probability below 2^-50.
  std::size_t choose(random_stream& random, index_range left_out = {0, 0}) const {
    if (!sums) {
      const std::uint64_t k = random.below(targets.size() - left_out.size());
      return k < left_out.first ? k : k + left_out.size();
    }
    const double without = weight(left_out);
    double sum = draw_share(random) * (weight() - without);
    if (sum >= weight({0, left_out.first})) sum += without;
    const std::size_t k = static_cast<std::size_t>(std::upper_bound(sums, sums + targets.size(), sum) - sums);
    return std::min(k, targets.size() - 1);
  }
};

// The parameters of node2vec: how a step depends on the vertex before.
struct walk_bias {
  double p = 1, q = 1;

  bool is_any() const { return p != 1 || q != 1; }
  // A step that was drawn by choose(). It is rejected where the vertex there has an edge to the vertex
  // before, or where it has none: rejects(true) or rejects(false).
  struct step {
    bool returns = false;    // to the vertex before
    std::size_t edge = 0;    // otherwise
    bool is_tested = false;  // otherwise it is accepted
  };
  bool rejects(bool has_edge) const { return has_edge == (q < 1); }

  // Draws a step. `edges_back` lead to the vertex before. They are not there at the first step, and
  // where is_any() is false.
  step choose(random_stream& random, const walk_row& row, std::optional<index_range> edges_back) const {
    if (!edges_back) return {.edge = row.choose(random)};
    const index_range back = *edges_back;
    const double most = std::max(1.0, 1 / q), least = std::min(1.0, 1 / q);
    const double returning = row.weight(back), others = (row.weight() - returning) * most;
    for (;;) {
      if (draw_share(random) * (others + returning / p) >= others) return {.returns = true};
      const std::size_t k = row.choose(random, back);
      if (k - back.first >= back.size()) return {.edge = k, .is_tested = draw_share(random) * most >= least};
    }
  }
};

// The rows of a locale's own vertices. Edges are in the order of the types of their targets, then of their
// times, then of the ids of their targets. Rows are the graph's where these are in that order, and copies
// otherwise. Copies take 4 bytes per edge, sums of weights 8, times 4, and types 4 per vertex and mirror. A
// copy of the object shares them.
class walk_rows {
 public:
  // [task; suspends; collective over the job] The graph has out_rows, without arcs, and weights from 0 on if
  // edges are by weight. It stays at its place.
  walk_rows(const graph::locale_graph& graph, const walk_edges& edges);

  // The edges of a vertex, among all of the locale. Ranges stay in registers where they are narrowed; a row
  // would be copied through memory, where steps of other walks wait for it.
  index_range edges_of(std::uint32_t v) const { return {offsets_[v], offsets_[v + 1]}; }
  // Those of a vertex's edges that lead to vertices of this type.
  index_range of_type(index_range edges, std::uint32_t type) const;
  // Those of this time or a later one. Edges have times.
  index_range since(index_range edges, float time) const;
  float time(std::size_t edge) const { return (*times_)[edge]; }
  // With weights the edges are all of a vertex, or those of a type.
  walk_row row(index_range edges) const {
    return {{targets_ + edges.first, targets_ + edges.last}, sums_ ? sums_ + edges.first : nullptr};
  }
  // The edges of a row that lead to the vertex of a number. Vertices have no types, and edges no times.
  index_range edges_to(const walk_row& row, std::uint64_t number) const {
    if (are_local_) {
      const auto local = static_cast<std::uint32_t>(number - graph_->first_vertex);
      return equal_to(row.targets, local, [](std::uint32_t u) { return u; });
    }
    return equal_to(row.targets, graph_->numbers.position(number),
                    [this](std::uint32_t u) { return graph_->position_of(u); });
  }
  // True if an own vertex or a mirror has an edge to the vertex of a number; empty if no row here shows it.
  std::optional<bool> has_edge(std::uint32_t from, std::uint64_t to) const {
    const std::uint64_t to_here = to - graph_->first_vertex;
    const bool is_own = from < graph_->own, turns = graph_->both_ways && to_here < graph_->own;
    if (!is_own && !turns) return std::nullopt;
    if (turns) {
      const index_range edges = edges_of(static_cast<std::uint32_t>(to_here));
      if (!is_own || edges.size() <= edges_of(from).size())
        return edges_to(row(edges), graph_->number_of(from)).size() > 0;
    }
    return edges_to(row(edges_of(from)), to).size() > 0;
  }
  // Fetches the middle of a vertex's row, where a search begins. Most rows are short.
  void fetch(std::uint32_t v) const { __builtin_prefetch(&targets_[(offsets_[v] + offsets_[v + 1]) / 2]); }

 private:
  // The range of a key among targets whose keys ascend. It is short, if there is one.
  template <class Key, class KeyOf>
  static index_range equal_to(std::span<const std::uint32_t> targets, Key key, const KeyOf& key_of) {
    const auto first = std::ranges::lower_bound(targets, key, {}, key_of);
    const auto last = std::find_if(first, targets.end(), [&](std::uint32_t u) { return key_of(u) != key; });
    return {static_cast<std::size_t>(first - targets.begin()),
            static_cast<std::size_t>(last - targets.begin())};
  }

  const graph::locale_graph* graph_;
  const bool are_local_;  // local indices are in the order of positions
  const std::uint64_t* offsets_;
  const std::uint32_t* targets_;
  const double* sums_ = nullptr;
  std::shared_ptr<machine::huge_array<std::uint32_t>> kept_targets_, types_;  // types: by local index
  std::shared_ptr<machine::huge_array<double>> kept_sums_;
  std::shared_ptr<machine::huge_array<float>> times_;
};

}  // namespace orujo::internal::algorithms::detail
