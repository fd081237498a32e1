// The direction in which the contributions of a superstep travel. Targets pull them over all in-edges, or
// active vertices push them over their out-edges.
//
// Programs and edge maps follow the rule of Shun, Blelloch, "Ligra", PPoPP 2013; searches, in which a vertex
// is visited once, that of Beamer, Asanovic, Patterson, "Direction-Optimizing Breadth-First Search", SC 2012.
#pragma once

#include <cstdint>

namespace orujo::internal::steps {

// The direction of a superstep: pull along in-edges, push along out-edges, or choose by the number of active
// edges.
enum class direction { automatic, pull, push };

// The direction of supersteps, and when `automatic` pushes.
struct direction_options {
  direction wanted = direction::automatic;
  // With `automatic` a superstep is pushed while the active vertices have fewer out-edges than one in
  // push_divisor of all edges.
  double push_divisor = 20;
  // With `automatic` a search (also a program with combine = any{}) is pushed while its frontier's out-edges
  // times search_alpha are at most those of vertices that were in no frontier so far. Beamer's alpha is of
  // the same order.
  double search_alpha = 15;
};

// The options of --direction and --push_threshold. A --push_threshold sets both thresholds.
direction_options direction_options_from_flags();

// Ligra's rule: `automatic` pushes where the active vertices have fewer out-edges than this.
constexpr std::uint64_t most_edges_to_push(const direction_options& options, std::uint64_t edges) {
  return static_cast<std::uint64_t>(static_cast<double>(edges) / options.push_divisor);
}
constexpr direction choose_direction(const direction_options& options, std::uint64_t active_out_edges,
                                     std::uint64_t edges) {
  if (options.wanted != direction::automatic) return options.wanted;
  return active_out_edges < most_edges_to_push(options, edges) ? direction::push : direction::pull;
}

// Beamer's rule, before the first pull. A pull examines the edges of vertices that were in no frontier so
// far. True if these are fewer than a push from this frontier examines. `alpha` is 1 if both directions
// examine edges in vain equally often.
constexpr bool pull_looks_at_less(double alpha, std::uint64_t frontier_out_edges,
                                  std::uint64_t unexplored_out_edges) {
  return static_cast<double>(frontier_out_edges) * alpha > static_cast<double>(unexplored_out_edges);
}

// Pulling ends with a frontier of less than this part of all vertices.
inline constexpr std::uint64_t search_pull_part = 24;

struct search_progress {
  std::uint64_t vertices = 0;              // of the graph
  std::uint64_t frontier = 0;              // vertices
  std::uint64_t frontier_before = 0;       // vertices of the frontier of the last superstep
  std::uint64_t frontier_out_edges = 0;    // where the frontier was found by pushing
  std::uint64_t unexplored_out_edges = 0;  // of vertices that were in no frontier before this one
};

// True if the next superstep of a search pulls. `pulling` says that the last one did.
constexpr bool pulls_next(const direction_options& options, bool pulling, const search_progress& now) {
  if (options.wanted != direction::automatic) return options.wanted == direction::pull;
  if (pulling) return now.frontier >= now.frontier_before || now.frontier > now.vertices / search_pull_part;
  return pull_looks_at_less(options.search_alpha, now.frontier_out_edges, now.unexplored_out_edges);
}

}  // namespace orujo::internal::steps
