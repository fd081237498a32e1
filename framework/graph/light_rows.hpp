// The light edges of a graph with weights, in rows of their own. Searches for shortest paths relax these
// first. Heavy edges lead far, so they may wait until fewer of them are of use.
//
// Light and heavy edges are those of Meyer, Sanders, "Delta-stepping: a parallelizable shortest path
// algorithm", Journal of Algorithms 49(1), 2003. steps/epochs.hpp says which edges wait.
#pragma once

#include <cstdint>
#include <memory>

#include "framework/graph/distributed_graph.hpp"
#include "system/machine/huge_array.hpp"

namespace orujo::internal::graph {

// The light edges of an own vertex, or of a mirror, to own vertices of the locale.
struct light_row {
  std::uint64_t first = 0;   // slot of the first one; the others follow
  std::uint32_t count = 0;   // of them
  std::uint32_t degree = 0;  // all out-edges of the vertex, whatever they lead to; 0 for a mirror
  float lightest_outer = 0;  // weight of any edge to a mirror; infinity if there is none
};

struct light_rows {
  float heaviest = 0;                         // no light edge weighs more, and every other edge does
  std::uint64_t sources = 0;                  // vertices of the graph that have out-edges
  machine::huge_array<light_row> of_own;      // by own vertex
  machine::huge_array<light_row> of_mirrors;  // by mirror
  machine::huge_array<arc> own_edges, mirrors_edges;
};

// [task; suspends; collective over the job] Null if a kind would have too few edges. That is so if vertices
// have few edges, or if most edges weigh the same. The graph keeps rows of out-edges
// and of in-edges. The rows are made once and stay with the graph: 24 bytes per vertex and mirror, and 8 for
// each light edge, about a sixth of all.
std::shared_ptr<const light_rows> find_light_rows(const locale_graph& g);

}  // namespace orujo::internal::graph
