// The connected components that a locale sees by itself: of its own vertices, its mirrors and the edges
// between them.
//
// After Afforest: Sutton, Ben-Nun, Barak, "Optimizing Parallel Graph Connectivity Computation via Subgraph
// Sampling", IPDPS 2018. Trees grow by hooking a root under a smaller vertex, so that the root of a
// component's only tree is in the end its smallest vertex. Departures:
//   - The first sample is each vertex's smallest neighbour, if that is smaller than the vertex itself. This
//     hooks every vertex at most once and never in a circle, so a core makes its trees in one pass over its
//     own vertices, in ascending order, without atomics; the parent's parent is known by then.
//   - The second sample is all edges of the roots, which are few, instead of one more edge of every vertex.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "framework/graph/distributed_graph.hpp"
#include "system/loops/schedule.hpp"

namespace orujo::algorithms {

// Trees over the local indices of a locale, shared by its cores: parents[i] is i for roots, otherwise smaller
// than i. Callable by several threads at the same time.
class forest {
 public:
  explicit forest(std::span<std::uint32_t> parents) : parents_(parents) {}

  // A parent above v; by several threads only where v is no root any more.
  void set_parent(std::uint32_t v, std::uint32_t parent) { at(v).store(parent, std::memory_order_relaxed); }
  std::uint32_t parent(std::uint32_t v) const { return at(v).load(std::memory_order_relaxed); }

  // Shortens the way there by half.
  std::uint32_t root(std::uint32_t v) const {
    std::uint32_t above = parent(v);
    for (std::uint32_t next = parent(above); next != above; next = parent(above)) {
      at(v).store(next, std::memory_order_relaxed);
      v = above;
      above = next;
    }
    return above;
  }
  // Joins the trees of two vertices; false if they were one.
  bool link(std::uint32_t u, std::uint32_t v) const;

 private:
  std::atomic_ref<std::uint32_t> at(std::uint32_t v) const { return std::atomic_ref(parents_[v]); }
  std::span<std::uint32_t> parents_;
};

// One core's part.
class local_components {
 public:
  // [task; suspends; collective over the locale] parents: the locale's, own vertices and mirrors. Needs
  // in_rows and out_rows.
  local_components(const graph::locale_graph& g, std::span<std::uint32_t> parents);

  // [task; suspends; collective over the locale] Leaves every parent a root: the smallest own vertex of the
  // component.
  void run();

 private:
  struct arena {
    arena(std::uint32_t indices, int cores);
    loops::shared_loop to_link, to_compress;
  };

  void plant();
  void link_roots();
  std::uint32_t most_frequent_root() const;
  bool link_rest(std::uint32_t giant);
  void compress();
  template <class Visit>
  void visit_neighbours(std::uint32_t v, Visit visit) const;
  std::uint32_t smallest_own_neighbour(const graph::adjacency& rows, std::uint32_t v) const;

  const graph::locale_graph& graph_;
  const graph::core_part& part_;
  const std::uint32_t indices_;
  forest trees_;
  std::shared_ptr<arena> arena_;
  std::vector<std::uint32_t> roots_;  // of this core, that have edges
};

}  // namespace orujo::algorithms
