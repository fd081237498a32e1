// Which way the contributions of a superstep travel: pulled by their targets over all in-edges, or pushed by
// the active vertices over their out-edges.
//
// Programs and edge maps follow the rule of Shun, Blelloch, "Ligra", PPoPP 2013, which stands here; searches
// that of Beamer, Asanovic, Patterson, "Direction-Optimizing Breadth-First Search", SC 2012
// (search_direction.hpp).
#pragma once

#include <cstdint>

namespace orujo::steps {

enum class direction { automatic, pull, push };

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

// The options that --direction and --push_threshold ask for. A --push_threshold sets both thresholds.
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

}  // namespace orujo::steps
