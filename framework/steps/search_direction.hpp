// When a breadth-first search pulls: Beamer, Asanovic, Patterson, "Direction-Optimizing Breadth-First
// Search", SC 2012.
#pragma once

#include <cstdint>

#include "framework/steps/direction.hpp"

namespace orujo::steps {

// Pulling ends with a frontier of less than this part of all vertices.
inline constexpr std::uint64_t search_pull_part = 24;

struct search_progress {
  std::uint64_t vertices = 0;              // of the graph
  std::uint64_t frontier = 0;              // vertices
  std::uint64_t frontier_before = 0;       // vertices of the frontier of the last superstep
  std::uint64_t frontier_out_edges = 0;    // where the frontier was found by pushing
  std::uint64_t unexplored_out_edges = 0;  // of vertices that were in no frontier before this one
};

// Whether the next superstep pulls. pulling: whether the last one did.
inline bool pulls_next(const direction_options& options, bool pulling, const search_progress& now) {
  if (options.wanted != direction::automatic) return options.wanted == direction::pull;
  if (pulling) return now.frontier >= now.frontier_before || now.frontier > now.vertices / search_pull_part;
  return static_cast<double>(now.frontier_out_edges) * options.search_alpha >
         static_cast<double>(now.unexplored_out_edges);
}

}  // namespace orujo::steps
