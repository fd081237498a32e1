// The distributed graph of the engine: per locale, its vertices' in-edges in Vector-Sparse form, and the
// locales that mirror them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "framework/graph/adjacency.hpp"
#include "framework/graph/numbering.hpp"
#include "framework/graph/partition.hpp"
#include "framework/graph/vector_sparse.hpp"
#include "framework/graph/workspace.hpp"
#include "system/base/check.hpp"
#include "system/base/identity.hpp"
#include "system/base/shape.hpp"
#include "system/containers/symmetric.hpp"
#include "system/loops/forall.hpp"
#include "system/machine/huge_array.hpp"

namespace orujo::internal::graph {

class vertex_names;

// The vertices of one core whose values a locale mirrors.
struct mirror_list {
  std::uint32_t first_mirror = 0;  // place of the first vertex in that locale's mirrors; the others follow
  std::vector<std::uint32_t> vertices;  // local indices here, ascending
};

// One core's part of its locale's graph.
struct core_part {
  std::uint32_t first = 0, last = 0;  // own vertices, as local indices
  by_locale<mirror_list> mirrored_by = {};
  // On a grid: guests whose in-edges this core encoded, as target indices, and the core's vertices that are
  // guests of other locales, ascending.
  std::uint32_t first_guest = 0, last_guest = 0;
  by_locale<std::vector<std::uint32_t>> guests_at = {};

  // This core's part of values by own vertex (or local index).
  template <class T>
  std::span<T> of(std::span<T> values) const {
    return values.subspan(first, last - first);
  }
};

// Local indices of a locale: its own vertices are 0..own-1, in ascending order. Mirrors are
// own..own+mirrors-1: ghost vertices of other locales that its edges come from or lead to. They ascend, too,
// so those of one core lie together.
//
// If edges are placed on a grid, a locale also keeps in-edges of vertices of other locales, its *guests*. In
// the edge vectors targets have indices of their own: own vertices, and guests from `own` on. Guests of one
// core of the locale are consecutive and ascend, and those of the locale's cores follow each other.
struct locale_graph {
  std::uint64_t vertices = 0;  // of the whole graph, as are edges
  std::uint64_t edges = 0;     // after --symmetrize and the like
  bool weighted = false;
  // By --symmetrize: an edge and its reverse are one undirected edge, and none is there twice.
  bool symmetric = false;
  // Each edge is there in both directions, with the same weight, and none twice: in a symmetric graph, or as
  // the build finds where the graph keeps out_rows. Results do not depend on it.
  bool both_ways = false;
  numbering numbers;       // of all vertices
  order_report order;      // of the vertices
  partition owners;        // of the numbers
  partition other_owners;  // as they would be in a job of edge_forms::cut_for_cores, if requested

  std::uint64_t first_vertex = 0;  // number of own vertex 0
  std::uint32_t own = 0;
  std::uint32_t mirrors = 0;
  std::vector<std::uint64_t> mirrored;                   // the mirrors' vertex numbers, ascending
  edge_placement placement = edge_placement::by_target;  // that was chosen
  std::vector<std::uint64_t> guests;                     // their vertex numbers, by target index
  machine::huge_array<edge_vector> edge_vectors;
  machine::huge_array<weight_vector> weight_vectors;  // empty if edges have no weights
  machine::huge_array<std::uint32_t> top_level_at;
  std::vector<edge_slice> slices;  // of each segment one per core of the locale, in their order
  std::vector<edge_segment> segments;
  std::size_t guest_segments = 0;  // the first of these, whose targets are guests
  // Null unless requested. With `both_ways` they are one object, and either requests both.
  std::shared_ptr<adjacency> in_rows, out_rows;
  machine::huge_array<std::uint32_t> out_degree;  // by local index; those of mirrors are meaningless
  machine::huge_array<std::uint32_t> in_degrees;  // by own vertex; empty if in_degree() needs none
  std::vector<std::uint64_t> external_ids;        // by own vertex; empty if ids are positions + first_id
  std::uint64_t first_id = 0;  // of the vertices of the input, maybe of one that is not left
  // By position; where vertices have names, ids are positions. Null if they have none.
  std::shared_ptr<const vertex_names> names;
  by_core<core_part> parts;  // by core of the locale
  // One object that all graphs with the same vertices at the same indices share, such as a graph and its
  // transpose. Properties and sets of one serve them all, and no other graph.
  std::shared_ptr<const void> vertex_space = std::make_shared<char>();
  // Working memory of runs on the graph, kept until the graph goes.
  std::shared_ptr<workspace> kept = std::make_shared<workspace>();

  // The calling core's part.
  core_part& my_part() { return parts[my_core_of_locale()]; }
  const core_part& my_part() const { return parts[my_core_of_locale()]; }

  // The in-degree of an own vertex.
  std::uint32_t in_degree(std::uint32_t own_vertex) const {
    if (both_ways) return out_degree[own_vertex];
    return in_rows ? static_cast<std::uint32_t>(in_rows->degree(own_vertex)) : in_degrees[own_vertex];
  }

  // Returns the values that a caller passes. Ends the job with `exit_status::misuse` unless there is one for
  // each own vertex.
  template <class T>
  std::span<T> own_values(std::span<T> values) const {
    require(values.size() == own,
            "values that are not one for each vertex of the locale's part of the graph: pass here() of a "
            "property of this graph");
    return values;
  }

  bool keeps_in_vectors() const { return !segments.empty() || edges == 0; }
  vector_sparse_view in_edges() const {
    return {edge_vectors.part(0, edge_vectors.size()), weight_vectors.part(0, weight_vectors.size()),
            top_level_at.part(0, top_level_at.size()), slices, segments};
  }
  // Target indices: of own vertices and guests.
  std::uint32_t targets() const { return own + static_cast<std::uint32_t>(guests.size()); }
  std::uint64_t number_of_target(std::uint32_t target) const {
    return target < own ? first_vertex + target : guests[target - own];
  }
  // The number of an own vertex or a mirror.
  std::uint64_t number_of(std::uint32_t local) const {
    return local < own ? first_vertex + local : mirrored[local - own];
  }
  // The number of mirrors whose vertex numbers are smaller.
  std::uint32_t mirrors_before(std::uint64_t number) const {
    return static_cast<std::uint32_t>(std::ranges::lower_bound(mirrored, number) - mirrored.begin());
  }
  // The local index of the vertex with this number; none if it is neither an own vertex nor a mirror.
  std::optional<std::uint32_t> local_of(std::uint64_t number) const {
    if (number - first_vertex < own) return static_cast<std::uint32_t>(number - first_vertex);
    const std::uint32_t m = mirrors_before(number);
    if (m == mirrors || mirrored[m] != number) return std::nullopt;
    return own + m;
  }
  // The position of an own vertex or a mirror, in the ascending order of the external ids (numbering.hpp).
  std::uint64_t position_of(std::uint32_t local) const { return numbers.position(number_of(local)); }
  std::uint64_t external_id(std::uint32_t own_vertex) const {
    return external_ids.empty() ? first_id + position_of(own_vertex) : external_ids[own_vertex];
  }
};

// Any thread. True if the rows of these own vertices ascend by vertex number (adjacency.hpp). rows: in_rows
// or out_rows.
bool rows_ascend(const locale_graph& g, const adjacency& rows, const core_part& vertices);

// Any thread. True if a step with so many vertices and out-edges is faster on one core, because a barrier of
// the locale takes longer. Never true on several locales, where each has a part of the step.
inline bool one_core_is_faster(std::uint64_t vertices_and_edges) {
  return locales() == 1 && vertices_and_edges < 1024;
}

// A graph as a handle that can travel: what applications pass around.
class distributed_graph {
 public:
  explicit distributed_graph(containers::symmetric<std::shared_ptr<locale_graph>> parts) : parts_(parts) {}
  // The calling core's locale's part.
  locale_graph& here() const { return *parts_.here(); }
  // [task; suspends]
  void destroy() const;
  // A graph is a collection of vertices for loops (neighbours.hpp).
  template <class Body>
  void forall_here(const Body& body, loops::loop_options options = {}) const;

 private:
  containers::symmetric<std::shared_ptr<locale_graph>> parts_;
};

}  // namespace orujo::internal::graph
