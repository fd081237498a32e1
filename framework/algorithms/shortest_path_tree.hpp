// A tree of shortest paths from their lengths alone.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "framework/exchange/mirror_exchange.hpp"
#include "framework/graph/distributed_graph.hpp"
#include "system/machine/huge_array.hpp"

namespace orujo::algorithms {

// One core's part, made and used by one task per core. The graph has in_rows, in any form. Every edge makes a
// path longer, rounded as it is: so not where weights are 0, or tiny against the distances.
//
// Distance is double, as shortest_paths writes distances, or float for those of path_precision::single.
template <class Distance>
class shortest_path_tree {
 public:
  // [task; suspends; collective over the job] distances: the locale's by own vertex. Takes as many bytes per
  // local index of the locale as a distance has.
  shortest_path_tree(const graph::locale_graph& g, std::span<const Distance> distances);

  // [task; suspends; collective over the job] Writes the parents of this core's vertices, by own vertex of
  // the locale, as vertex numbers: some in-neighbour on a shortest path; the source's is itself, and that of
  // vertices without a path -1. Costs a distance per mirror and a look at the in-edges of every vertex until
  // its parent is found.
  void write(std::span<std::int64_t> parents);

 private:
  const graph::locale_graph& graph_;
  const std::span<const Distance> distances_;
  std::shared_ptr<machine::huge_array<Distance>> of_all_;  // by local index
  exchange::mirror_exchange<Distance> mirrors_;
};

}  // namespace orujo::algorithms
