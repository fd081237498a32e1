// Draws of a vertex's edges for neighbour samples.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include "framework/algorithms/sample_positions.hpp"
#include "framework/graph/distributed_graph.hpp"
#include "system/base/random.hpp"

namespace orujo::internal::algorithms::detail {

// How a layer draws.
struct layer_options {
  std::int64_t fan_out;
  bool replace, in_edges;
  std::uint64_t seed;
  bool timed, latest;
  float until;
};

// A vertex's edges in the order of their neighbours' positions.
struct ordered_edge {
  std::uint64_t neighbour;
  std::uint64_t index;  // among all of the vertex
  float time;
};

// Draws of the edges 0 to degree - 1.
inline std::vector<std::uint64_t> draw_edges(const layer_options& options, random_stream random,
                                             std::uint64_t degree) {
  const std::uint64_t wanted = options.fan_out < 0 ? degree : static_cast<std::uint64_t>(options.fan_out);
  std::vector<std::uint64_t> drawn;
  if (options.fan_out >= 0 && options.replace) {
    for (std::uint64_t k = 0; k < wanted && degree > 0; ++k) drawn.push_back(random.below(degree));
  } else if (wanted >= degree) {
    drawn.resize(degree);
    std::iota(drawn.begin(), drawn.end(), std::uint64_t{0});
  } else {
    drawn = draw_different(random, degree, wanted);
  }
  return drawn;
}

// Leaves the latest edges, as many as the fan-out, in their order.
inline void keep_latest(std::vector<ordered_edge>& edges, std::int64_t fan_out) {
  if (fan_out < 0 || edges.size() <= static_cast<std::size_t>(fan_out)) return;
  std::ranges::stable_sort(edges, {}, &ordered_edge::time);
  edges.erase(edges.begin(), edges.end() - fan_out);
  std::ranges::sort(edges, {}, &ordered_edge::index);
}

// The edges of a vertex that may be drawn.
inline void find_edges(const graph::locale_graph& g, const graph::adjacency& rows, std::uint32_t v,
                       const layer_options& options, std::vector<ordered_edge>& edges) {
  edges.clear();
  const bool has_times = options.timed && rows.weights.size() > 0;
  for (std::uint64_t k = 0; k < rows.degree(v); ++k)
    edges.push_back({g.position_of(rows.of(v)[k]), k, has_times ? rows.weights[rows.offsets[v] + k] : 0});
  if (!g.numbers.is_identity()) {
    std::ranges::stable_sort(edges, {}, &ordered_edge::neighbour);
    for (std::uint64_t k = 0; k < edges.size(); ++k) edges[k].index = k;
  }
  if (options.timed) std::erase_if(edges, [&](const ordered_edge& e) { return e.time > options.until; });
  if (options.latest) keep_latest(edges, options.fan_out);
}

}  // namespace orujo::internal::algorithms::detail
