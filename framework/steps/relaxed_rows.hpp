// The forms of rows along which edges are relaxed (relaxation.hpp): their sources, and the layout of
// neighbours and weights.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>

#include "framework/graph/distributed_graph.hpp"
#include "framework/graph/inner_rows.hpp"
#include "framework/graph/light_rows.hpp"

namespace orujo::internal::steps::relaxed {

// Distances of prefetches: rows ahead in found vertices, the neighbours' values ahead in edges.
inline constexpr std::size_t found_ahead = 8, neighbours_ahead = 16;

inline constexpr float unreached = std::numeric_limits<float>::infinity();

// The edges of one source: the slots of its row, [first, last), and a bound on other edges. Sources of rows
// that are `cut` have to be reported to their mirrors, and heavy edges of rows that are `light` wait.
struct slots {
  std::uint64_t first, last;
  float lightest_outer;  // of the edges to mirrors
};
// Rows of own vertices, if there are no mirrors, or rows of mirrors.
template <bool Own>
struct whole_rows {
  static constexpr bool of_own = Own, cut = false, light = false;
  const std::uint64_t* offsets;
  slots operator[](std::uint32_t v) const { return {offsets[v], offsets[v + 1], unreached}; }
  void fetch(std::uint32_t v) const { __builtin_prefetch(&offsets[v]); }
};
// Rows of own vertices, with the edges to own vertices only.
template <bool Cut>
struct inner_rows {
  static constexpr bool of_own = true, cut = Cut, light = false;
  const graph::inner_row* rows;
  bool of_ones;  // edges have weight 1
  slots operator[](std::uint32_t v) const {
    const float lightest = rows[v].lightest_outer;
    return {rows[v].first, rows[v].first + rows[v].count, of_ones && lightest < unreached ? 1 : lightest};
  }
  void fetch(std::uint32_t v) const { __builtin_prefetch(&rows[v]); }
};
// Rows of light edges, of own vertices or of mirrors.
template <bool Own>
struct light_rows {
  static constexpr bool of_own = Own, cut = Own, light = Own;
  const graph::light_row* rows;
  slots operator[](std::uint32_t v) const {
    return {rows[v].first, rows[v].first + rows[v].count, rows[v].lightest_outer};
  }
  void fetch(std::uint32_t v) const { __builtin_prefetch(&rows[v]); }
};
// The edges, in the forms that rows may have.
struct arcs {
  const graph::arc* edges;
  std::uint32_t target(std::uint64_t k) const { return edges[k].neighbour; }
  float weight(std::uint64_t k) const { return edges[k].weight; }
  void fetch(std::uint64_t k) const { __builtin_prefetch(&edges[k]); }
};
struct unweighted {
  const std::uint32_t* neighbours;
  std::uint32_t target(std::uint64_t k) const { return neighbours[k]; }
  float weight(std::uint64_t) const { return 1; }
  void fetch(std::uint64_t k) const { __builtin_prefetch(&neighbours[k]); }
};
struct side_by_side {
  const std::uint32_t* neighbours;
  const float* weights;
  std::uint32_t target(std::uint64_t k) const { return neighbours[k]; }
  float weight(std::uint64_t k) const { return weights[k]; }
  void fetch(std::uint64_t k) const {
    __builtin_prefetch(&neighbours[k]);
    __builtin_prefetch(&weights[k]);
  }
};

}  // namespace orujo::internal::steps::relaxed
