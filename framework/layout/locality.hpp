// How near a graph's neighbours lie to each other in an order.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "framework/layout/block_levels.hpp"
#include "framework/layout/undirected_graph.hpp"

namespace orujo::internal::layout {

struct locality {
  double log2_gap = 0;          // mean of log2 |number - number| over the edges
  std::vector<double> touched;  // by level: blocks touched per edge, over windows of consecutive vertices
};

// Vertices in a window. A reader of their neighbours' values is assumed to keep the blocks of one window.
inline constexpr std::uint32_t window_vertices = 64;

// Any thread. number(v) and vertex(number) are each other's inverses. Examines all edges, or those of
// at most `windows` windows spread evenly.
locality measure_locality(const undirected_graph& g,
                          const std::function<std::uint64_t(std::uint64_t)>& number,
                          const std::function<std::uint64_t(std::uint64_t)>& vertex,
                          const block_levels& levels, std::size_t vertex_bytes, std::uint32_t windows = 4096);

}  // namespace orujo::internal::layout
