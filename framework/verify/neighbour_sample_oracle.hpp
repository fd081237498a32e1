// Layers of sampled neighbours, one vertex after the other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "framework/verify/edge_comparison.hpp"
#include "framework/verify/simple_graph.hpp"

namespace orujo::internal::verify {

struct sample_plan {
  std::vector<std::size_t> seeds;
  std::vector<std::int64_t> fan_outs;  // -1: all
  bool replace = false;
  bool in_edges = true;
  std::uint64_t seed = 1;
  bool timed = false;  // weights are times, and edges after `until` are as if they were not there
  double until = 0;
  bool latest = false;  // the edges with the largest times; of equal ones the last by neighbour
};

// The edges that are drawn, ascending, each with the number of its layer from 1 on. Vertex v draws from
// random_stream(seed, v): as many edges as the layer says, each among all of its, or by Floyd's algorithm.
std::vector<plain_edge<std::uint32_t>> sample_neighbours(const simple_graph& graph, const sample_plan& plan);

}  // namespace orujo::internal::verify
