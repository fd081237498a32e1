// Which way the contributions of a superstep travel: pulled by their targets over all in-edges, or pushed by
// the active vertices over their out-edges.
//
// After Beamer, Asanovic, Patterson, "Direction-Optimizing Breadth-First Search", SC 2012, and Shun,
// Blelloch, "Ligra", PPoPP 2013, whose threshold this is.
#pragma once

#include <cstdint>

namespace orujo::engine {

enum class direction { automatic, pull, push };

struct direction_options {
  direction wanted = direction::automatic;
  double push_threshold = 20;
};

// What --direction and --push_threshold ask for. own_threshold holds where --push_threshold is not given.
direction_options direction_options_from_flags(double own_threshold = 20);

// `automatic` pushes where the active vertices have fewer out-edges than this, of all `edges` one in
// push_threshold.
constexpr std::uint64_t most_edges_to_push(const direction_options& options, std::uint64_t edges) {
  return static_cast<std::uint64_t>(static_cast<double>(edges) / options.push_threshold);
}
constexpr direction choose_direction(const direction_options& options, std::uint64_t active_out_edges,
                                     std::uint64_t edges) {
  if (options.wanted != direction::automatic) return options.wanted;
  return active_out_edges < most_edges_to_push(options, edges) ? direction::push : direction::pull;
}

}  // namespace orujo::engine
