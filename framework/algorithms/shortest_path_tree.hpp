// Finds a tree of shortest paths from their lengths alone.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "framework/exchange/mirror_exchange.hpp"
#include "framework/graph/distributed_graph.hpp"
#include "system/machine/huge_array.hpp"

namespace orujo::internal::algorithms {

// One core's part, made and used by one task per core. The graph has in_rows, in any form. Every edge must
// make a path longer, after rounding. So weights that are 0, or tiny compared with the distances, are not
// supported.
//
// `Distance` is double, as shortest_paths writes distances, or float for those of `path_precision::single`.
template <class Distance>
class shortest_path_tree {
 public:
  // [task; suspends; collective over the job] `distances` are the locale's, by own vertex. Takes as many
  // bytes per local index of the locale as a distance has.
  shortest_path_tree(const graph::locale_graph& g, std::span<const Distance> distances);

  // [task; suspends; collective over the job] Writes the parents of this core's vertices, by own vertex of
  // the locale, as vertex numbers. A parent is some in-neighbour on a shortest path. The source is its own
  // parent, and vertices without a path get -1. Sends a distance per mirror, and examines the in-edges of
  // every vertex until its parent is found.
  void write(std::span<std::int64_t> parents);

 private:
  const graph::locale_graph& graph_;
  const std::span<const Distance> distances_;
  std::shared_ptr<machine::huge_array<Distance>> of_all_;  // by local index
  exchange::mirror_exchange<Distance> mirrors_;
};

}  // namespace orujo::internal::algorithms
