// Graphs of edges that a program has in memory.
#pragma once

#include <cstdint>
#include <optional>

#include "framework/formats/edge.hpp"
#include "framework/graph/build/load.hpp"
#include "framework/graph/edge_forms.hpp"
#include "system/base/call_site.hpp"
#include "system/containers/global_array.hpp"

namespace orujo::graph {

// Where the edges are, and what becomes of them, as the flags of these names do it. Edges go between ids, any
// 64-bit numbers; those that occur in an edge are the vertices.
struct edges_in_memory {
  containers::global_array<edge> edges;
  std::optional<containers::global_array<float>> weights = {};  // parallel to `edges`; numbers, none infinite
  std::optional<std::uint64_t> vertices = {};  // the vertices are 0 to this, less 1, and no edge has another
  bool symmetrize = false;                     // implies remove_duplicates
  bool remove_self_loops = false;
  bool remove_duplicates = false;
  kept_weight keep_weight = kept_weight::lightest;
};

// [task at core 0; suspends] The arrays stay as they are, and may be destroyed afterwards: the building
// copies their edges. Fails with bad_data where an edge or a weight is not as said above, with no_resource
// for want of memory. Arrays of different sizes are a misuse.
result<loaded_graph> build_graph(const edges_in_memory& request, const edge_forms& keep = {},
                                 const call_site& at = call_site::current());

}  // namespace orujo::graph
