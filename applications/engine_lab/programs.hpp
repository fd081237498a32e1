// The laboratory's vertex programs. Each has the members that the pull kernel requires
// (framework/vectors/pull.hpp). Its vertex phase is generic over packs, too, so that it can be measured with
// and without vectors.
//   constexpr bool all_active      every vertex counts as changed in every iteration
//   V apply(V total, V constant, V& state, V& shown)    1 where the vertex has changed, else 0
// Weights are ignored.
#pragma once

#include <cstdint>
#include <limits>

#include "framework/graph/distributed_graph.hpp"
#include "framework/vectors/combine.hpp"

namespace orujo::internal::engine_lab {

// The initial values of a vertex.
template <class Value>
struct vertex_start {
  Value state, shown, constant;
  bool active;
};

// PageRank. The rank of vertices without out-edges is lost, so that the vertex phase needs no sums.
struct pagerank {
  using value = float;
  static constexpr auto combine = gas::sum{};
  static constexpr bool all_active = true;

  pagerank(const graph::locale_graph& g, float damping_factor)
      : damping(damping_factor),
        base((1 - damping_factor) / static_cast<float>(g.vertices)),
        first_rank(1 / static_cast<float>(g.vertices)) {}

  template <class V>
  V gather(V source_value, V) const {
    return source_value;
  }
  vertex_start<float> start(std::uint32_t, std::uint32_t out_degree) const {
    const float share = out_degree == 0 ? 0 : 1 / static_cast<float>(out_degree);
    return {first_rank, first_rank * share, share, true};
  }
  template <class V>
  [[gnu::always_inline]] V apply(V total, V share, V& rank, V& shown) const {
    rank = V(base) + V(damping) * total;
    shown = rank * share;
    return V(1);
  }

  float damping, base, first_rank;
};

inline constexpr std::uint32_t no_parent = std::numeric_limits<std::uint32_t>::max();

// Every vertex gets the smallest number in its component, in a symmetric graph.
struct connected_components {
  using value = std::uint32_t;
  static constexpr auto combine = gas::minimum{};
  static constexpr bool all_active = false;

  template <class V>
  V gather(V label, V) const {
    return label;
  }
  vertex_start<value> start(std::uint32_t v, std::uint32_t) const { return {v, v, 0, true}; }
  template <class V>
  [[gnu::always_inline]] V apply(V total, V, V& label, V& shown) const {
    const auto changed = total < label;
    label = min(label, total);
    shown = label;
    return select(changed, V(1), V(0));
  }
};

// Breadth-first search, level by level. A vertex that was just reached shows its number, and the smallest
// becomes the parent.
struct bfs {
  using value = std::uint32_t;
  static constexpr auto combine = gas::minimum{};
  static constexpr bool all_active = false;

  template <class V>
  V gather(V source, V) const {
    return source;
  }
  vertex_start<value> start(std::uint32_t v, std::uint32_t) const {
    return v == root ? vertex_start<value>{v, v, v, true}
                     : vertex_start<value>{no_parent, no_parent, v, false};
  }
  template <class V>
  [[gnu::always_inline]] V apply(V total, V self, V& parent, V& shown) const {
    const V candidate = select(parent == V(no_parent), total, V(no_parent));
    const auto found = candidate < V(no_parent);
    parent = min(parent, candidate);
    shown = select(found, self, shown);
    return select(found, V(1), V(0));
  }

  std::uint32_t root = 0;
};

}  // namespace orujo::internal::engine_lab
