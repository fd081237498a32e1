// The second half of building a graph, once every core has its rows: shared by those that shuffle edges and
// those that read rows from a file.
//
//   auto g = open_graph(outline);                   the same object at the cores of a locale
//   assemble(*g.value(), in, out, options);         mirrors, local indices, encoding, degrees, kept rows
#pragma once

#include <memory>

#include "framework/graph/build/build_options.hpp"
#include "framework/graph/build/kept_rows.hpp"
#include "framework/graph/build/rows.hpp"
#include "framework/graph/distributed_graph.hpp"

namespace orujo::internal::graph {

// What is known of a graph before its edges are in place.
struct graph_outline {
  bool weighted = false;
  bool symmetric = false;
  bool both_ways = false;  // so is a symmetric graph
  std::uint64_t first_id = 0;
  vertex_order order = {};
  partition owners = {};
  partition other_owners = {};  // for edge_forms::cut_for_cores
};

// [task; suspends; collective over the job] indices: of a locale. Fails with no_resource if these are too
// many for Vector-Sparse.
status check_local_indices(std::uint64_t indices);

// [task; suspends; collective over the job] A graph with the parts of its cores, without edges and ids. Fails
// as check_local_indices() does.
result<std::shared_ptr<locale_graph>> open_graph(const graph_outline& outline);

// Returns whether the graph keeps rows of in-edges. With both_ways they are also those of the out-edges.
inline bool keeps_in_rows(const locale_graph& g, const edge_forms& keep) {
  return keep.in_rows || (keep.out_rows && g.both_ways);
}
// The weights of rows that an application requests.
inline row_weights kept_weights(const locale_graph& g, const edge_forms& keep) {
  if (!g.weighted) return row_weights::none;
  return keep.arcs ? row_weights::arcs : row_weights::parallel;
}

// [task; suspends; collective over the job] Fills in everything but the ids. in, out: the calling core's
// rows. `out` is required if options.keep.out_rows is set and the graph is not both_ways; else it is empty.
// Fails as check_local_indices() does, the mirrors included.
status assemble(locale_graph& g, rows in, rows out, const build_options& options);

}  // namespace orujo::internal::graph
