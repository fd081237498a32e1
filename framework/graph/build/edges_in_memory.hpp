// Graphs of edges that a program has in memory.
#pragma once

#include <cstdint>
#include <optional>

#include "framework/formats/edge.hpp"
#include "framework/graph/build/load.hpp"
#include "framework/graph/edge_forms.hpp"
#include "system/base/call_site.hpp"
#include "system/containers/global_array.hpp"

namespace orujo::internal::graph {

// A graph given by edges in memory, and the changes that flags of the same names make. Edges are between ids,
// which are any 64-bit numbers. The vertices are the ids that occur in an edge.
struct edges_in_memory {
  containers::global_array<edge> edges;
  std::optional<containers::global_array<float>> weights = {};  // parallel to `edges`; numbers, none infinite
  std::optional<std::uint64_t> vertices = {};  // the vertices are 0 to this, less 1, and no edge has another
  bool symmetrize = false;                     // implies remove_duplicates
  bool remove_self_loops = false;
  bool remove_duplicates = false;
  kept_weight keep_weight = kept_weight::lightest;
};

// Edges of other forms, which every core brings: no array of them is made first. The same members as above,
// except:
struct brought_edges {
  bool weighted = false;  // the edge lists have weights
  std::optional<std::uint64_t> vertices = {};
  bool up_to_largest = false;  // the vertices are 0 to the largest id in an edge
  bool symmetrize = false;
  bool remove_self_loops = false;
  bool remove_duplicates = false;
  kept_weight keep_weight = kept_weight::lightest;
};

// Some edges, and how many are before them in the whole, for messages.
struct edges_from {
  formats::edge_list mine;
  std::uint64_t first = 0;
};

// [any core; does not suspend] The calling core's share of the edges. It is a function, and its address is
// not sent to other processes. So it reads variables of its own process. `std::bad_alloc` fails the building
// with no_resource.
using edge_bringer = result<edges_from> (*)();

namespace detail {
// [task; suspends; collective over the job] Core 0 writes *outcome.
result<std::shared_ptr<locale_graph>> build_brought(edge_bringer bring, const brought_edges& request,
                                                    const edge_forms& keep, load_outcome* outcome);
}  // namespace detail

// [task at core 0; suspends] Builds a graph of the edges that every core's Bring() returns. Fails as
// build_graph() does, or with the status of a core whose Bring() fails.
template <edge_bringer Bring>
result<loaded_graph> build_brought_graph(const brought_edges& request, const edge_forms& keep = {}) {
  return detail::load("edges in memory", [=](detail::graph_parts parts, detail::load_outcome* outcome) {
    const memory::global_address<detail::load_outcome> to(my_core(), outcome);
    loops::on_all_cores([=] {
      const auto built = detail::build_brought(Bring, request, keep, my_core() == 0 ? to.local() : nullptr);
      if (built.ok()) parts.emplace_here(built.value());
    });
  });
}

// [task at core 0; suspends] Builds a graph from edges in memory, with these forms of edges. The arrays are
// copied, do not change, and may be destroyed afterwards. Fails with bad_data if an edge or a weight is not
// as described there, and with no_resource. Arrays of different sizes are a misuse.
result<loaded_graph> build_graph(const edges_in_memory& request, const edge_forms& keep = {},
                                 const call_site& at = call_site::current());

}  // namespace orujo::internal::graph
