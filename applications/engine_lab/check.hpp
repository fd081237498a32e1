// The laboratory's results, by vertex number, against serial computations that share nothing with the engine.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "framework/graph/numbering.hpp"
#include "framework/verify/simple_graph.hpp"

namespace orujo::engine_lab {

struct verdict {
  bool right = false;
  std::string text;
};

// Ranks of so many iterations without the mass of vertices that lead nowhere.
verdict check_pagerank(const verify::simple_graph& graph, std::span<const float> ranks, int iterations,
                       double damping, const graph::numbering& numbers = {});

// Each vertex has the smallest number in its component; the graph is symmetric.
verdict check_components(const verify::simple_graph& graph, std::span<const std::uint32_t> labels,
                         const graph::numbering& numbers = {});

// Parents form a tree of shortest paths from the root, which is its own parent; who is not reached has none.
verdict check_bfs(const verify::simple_graph& graph, std::span<const std::uint32_t> parents,
                  std::uint32_t root, const graph::numbering& numbers = {});

}  // namespace orujo::engine_lab
