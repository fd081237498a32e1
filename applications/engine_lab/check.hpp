// Compares the laboratory's results, by vertex number, with serial computations that share nothing with the
// engine.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "framework/graph/numbering.hpp"
#include "framework/verify/simple_graph.hpp"

namespace orujo::internal::engine_lab {

struct verdict {
  bool right = false;
  std::string text;
};

// Compares ranks with those after `iterations` iterations, without the mass of vertices that have no
// out-edges.
verdict check_pagerank(const verify::simple_graph& graph, std::span<const float> ranks, int iterations,
                       double damping, const graph::numbering& numbers = {});

// Checks that each vertex has the smallest number in its component. The graph must be symmetric.
verdict check_components(const verify::simple_graph& graph, std::span<const std::uint32_t> labels,
                         const graph::numbering& numbers = {});

// Checks that parents form a tree of shortest paths from the root, which is its own parent. Vertices that are
// not reached have none.
verdict check_bfs(const verify::simple_graph& graph, std::span<const std::uint32_t> parents,
                  std::uint32_t root, const graph::numbering& numbers = {});

}  // namespace orujo::internal::engine_lab
