// Boruvka's rounds ("O jistem problemu minimalnim", 1926): every component takes the lightest edge that leads
// out of it, until none is left.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "framework/algorithms/local_components.hpp"
#include "framework/graph/distributed_graph.hpp"
#include "framework/graph/property.hpp"
#include "framework/graph/valued_edge.hpp"
#include "system/loops/forall.hpp"
#include "system/machine/huge_array.hpp"

namespace orujo::internal::algorithms {

// An edge between two own vertices or mirrors, by local index.
struct local_edge {
  std::uint32_t a, b;
  float weight;
};

// Components of the edges that were passed so far, and the forest that joins them. One task on every core has
// its part. Positions of the ends (numbering.hpp) decide between equal weights: the smaller one of each edge
// first, then the other. So the forest does not depend on which core passes an edge.
//
// A component is called by one of its vertices. On several locales the owner of that vertex decides which
// edge the component takes. Locales have trees of vertices that are known to be in one component, so that
// they send at most one edge for each tree. They need no names of components between rounds but those of
// trees with edges. A round takes 40 bytes for each of these trees, 16 for each component, and 16 for each
// step of pointer doubling and component that is not done.
class boruvka {
 public:
  using forest_edge = graph::valued_edge<float>;

  // [task; suspends; collective over the job] Every vertex is a component. Takes 12 bytes per own vertex and
  // mirror, on several locales 20 and 12 per own vertex. `joined` is a property of the graph that nobody else
  // uses meanwhile.
  boruvka(graph::distributed_graph graph, graph::property<std::uint64_t> joined);

  // [task; suspends; collective over the job] Passes edges, of all cores fewer than 2^32 at a locale. All
  // that were passed before have been joined: the last round() returned false.
  void begin(const std::vector<local_edge>& edges);
  // [task; suspends; collective over the job] Joins each component that has an edge to another one to that of
  // its lightest edge. Returns false if there is none, or if any core says `stops`.
  bool round(bool stops = false);

  // The component of an own vertex or a mirror, by a number that is the same at all cores of a locale, and on
  // several locales at all cores. On several locales it is right after refresh_names().
  std::uint64_t component_of(std::uint32_t v) const { return component_of_root(root_of(v)); }
  // [task; suspends; collective over the job]
  void refresh_names();

  // The edges of the forest that this core has found.
  const std::vector<forest_edge>& found() const { return found_; }
  // Source < target.
  forest_edge with_positions(const local_edge& e) const;

 private:
  static constexpr std::uint64_t nothing = ~std::uint64_t{0};  // no edge
  static constexpr std::uint32_t not_chosen = ~std::uint32_t{0};
  struct arena;
  // An edge that component `from` has to component `to`, for the owner of `from`.
  struct offered_edge {
    std::uint64_t from, to;
    forest_edge edge;
  };

  bool is_root(std::uint32_t v) const { return trees_.parent(v) == v; }
  std::uint64_t component_of_root(std::uint32_t root) const;
  // Halves the path to the root. Any ancestor may be stored, so this needs no atomic operation.
  std::uint32_t root_of(std::uint32_t v) const {
    std::uint32_t above = trees_.parent(v);
    for (std::uint32_t next = trees_.parent(above); next != above; next = trees_.parent(above)) {
      trees_.set_parent(v, next);
      v = above;
      above = next;
    }
    return above;
  }
  const local_edge& edge_at(std::uint64_t lightest) const;
  std::uint32_t across(const local_edge& e, std::uint32_t root) const;
  void fetch_ahead(std::size_t k) const;
  void offer(std::uint32_t root, std::size_t edge);
  bool goes_before(std::uint64_t offered, std::uint64_t seen) const;
  void join_here();
  void join_between_locales();
  void choose(const std::vector<offered_edge>& offers);
  void follow(std::vector<std::uint64_t> open);
  void take_names();

  const graph::distributed_graph graph_;
  const graph::locale_graph& g_;
  const graph::core_part& mine_;
  const graph::property<std::uint64_t> joined_;  // by the vertex that a component is called by
  const std::shared_ptr<arena> shared_;
  const forest trees_;
  const index_range locals_;           // this core's of the own vertices and mirrors
  std::size_t first_ = 0, last_ = 0;   // this core's of the locale's edges
  std::vector<std::uint32_t> open_;    // this core's roots with edges in this round
  std::vector<std::uint32_t> chosen_;  // by own vertex: the place of its component's lightest offer
  std::vector<forest_edge> found_;
};

}  // namespace orujo::internal::algorithms
