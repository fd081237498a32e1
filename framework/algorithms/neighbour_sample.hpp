// Neighbours sampled layer by layer around some vertices, as graph neural networks learn from them.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "framework/graph/distributed_graph.hpp"

namespace orujo::internal::algorithms {

// A call of sample_neighbours draws as these say.
struct neighbour_sample_options {
  // The number of edges that are drawn at each vertex of a layer, the seeds' first. -1 draws all.
  std::span<const std::int64_t> fan_outs;
  bool replace = false;  // draw with replacement, so that an edge may be there several times
  bool in_edges = true;  // false: out-edges
  std::uint64_t seed = 1;
  // The weights of edges are times, and those after `until` are not drawn. The latest ones are drawn instead
  // of any with `latest`, and of equal times those that come last among a vertex's edges. Not with `replace`.
  bool timed = false;
  float until = std::numeric_limits<float>::infinity();
  bool latest = false;
};

// An edge that was drawn at a vertex. Both ends are indices into neighbour_sample::vertices.
struct sampled_edge {
  std::uint64_t at, neighbour;
  // Its index among all in-edges (or out-edges), in ascending order of the vertices that they are drawn at,
  // then of the neighbours, then of weights.
  std::uint64_t edge;
};

// The result, at the calling core.
struct neighbour_sample {
  std::vector<std::uint64_t> vertices;  // positions: the seeds, then those that each layer adds
  std::vector<sampled_edge> edges;      // layer by layer
  std::vector<std::uint64_t> vertices_of_layer, edges_of_layer;  // how many; vertices from the seeds on
  double seconds = 0;
};

// [task; suspends] Draws edges at the seeds, then at the vertices that these led to first, and so on. As in
// Hamilton, Ying, Leskovec, "Inductive Representation Learning on Large Graphs", NIPS 2017, and in
// neighbor_sample() of pyg-lib, with times as there by those of edges. A vertex draws once. Without
// replacement, a vertex of fewer edges than the fan-out has all of them, and its edges ascend by neighbour.
//
// `seeds` are positions, each once; another one is a misuse. A vertex draws from its own stream of random
// numbers, which the seed and its position determine. So the result is the same for any number of locales and
// cores, in every order of the vertices. The graph has in_rows (or out_rows), without arcs. A layer takes two
// exchanges of 16 bytes per vertex and 24 per edge. Vertices that are not in the order of their ids take 8
// bytes each.
neighbour_sample sample_neighbours(graph::distributed_graph graph, std::span<const std::uint64_t> seeds,
                                   const neighbour_sample_options& options);

}  // namespace orujo::internal::algorithms
