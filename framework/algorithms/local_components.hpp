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
#include <functional>
#include <limits>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "framework/graph/distributed_graph.hpp"
#include "system/loops/collectives.hpp"
#include "system/loops/schedule.hpp"

namespace orujo::algorithms {

// Trees shared by a locale's cores: parents[i] is i for roots. Callable by several threads at the same time.
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
  // Joins the trees of two vertices; false if they were one. before(a, b): whether the root a stays one where
  // it meets the root b, in a strict order of all vertices that is the same for all who link at the time.
  template <class Before = std::less<std::uint32_t>>
  bool link(std::uint32_t u, std::uint32_t v, Before before = {}) const {
    for (std::uint32_t a = root(u), b = root(v); a != b; a = root(a), b = root(b)) {
      if (before(a, b)) std::swap(a, b);
      std::uint32_t still_root = a;
      if (at(a).compare_exchange_strong(still_root, b, std::memory_order_relaxed)) return true;
    }
    return false;
  }

 private:
  std::atomic_ref<std::uint32_t> at(std::uint32_t v) const { return std::atomic_ref(parents_[v]); }
  std::span<std::uint32_t> parents_;
};

// Where vertices are in a locale's trees: in the ascending order of their numbers, unlike their local
// indices.
//
//   mirrors before the own vertices | own vertices | mirrors behind them
struct tree_places {
  std::uint32_t own = 0, mirrors_before = 0;

  explicit tree_places(const graph::locale_graph& g);
  // Of an own vertex or a mirror.
  std::uint32_t place_of(std::uint32_t local) const {
    if (local < own) return mirrors_before + local;
    const std::uint32_t mirror = local - own;
    return mirror < mirrors_before ? mirror : local;
  }
  // The local index of the vertex there.
  std::uint32_t local_at(std::uint32_t place) const {
    if (place < mirrors_before) return own + place;
    const std::uint32_t behind = place - mirrors_before;
    return behind < own ? behind : place;
  }
  bool is_own(std::uint32_t place) const { return place - mirrors_before < own; }
};

// One core's part.
class local_components {
 public:
  // [task; suspends; collective over the locale] parents: the locale's, by place. Needs in_rows and out_rows.
  local_components(const graph::locale_graph& g, std::span<std::uint32_t> parents);

  const tree_places& places() const { return places_; }
  forest& trees() { return trees_; }

  // [task; suspends; collective over the locale] Joins what some of the edges between own vertices join, and
  // own vertices with one mirror each at most.
  void sample();
  // Any thread, after sample(): what most of some own vertices have as of_tree(root of their tree), and none
  // without own vertices.
  static constexpr std::uint64_t none = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t most_frequent(const std::function<std::uint64_t(std::uint32_t root)>& of_tree) const;

  // [task; suspends; collective over the locale] Joins what all edges join, but for those of vertices in
  // trees of which is_giant(root). True if it joined any trees.
  template <class IsGiant, class Before = std::less<std::uint32_t>>
  bool join_rest(IsGiant is_giant, Before before = {}) {
    int linked = 0;
    loops::collective_forall(arena_->to_link, [&](std::size_t index) {
      const auto v = static_cast<std::uint32_t>(index);
      const std::uint32_t place = places_.place_of(v), root = trees_.root(place);
      if (root != place) trees_.set_parent(place, root);
      if (is_giant(root)) return;
      visit_neighbours(v, places_, [&](std::uint32_t neighbour) {
        if (trees_.link(place, neighbour, before)) linked = 1;
      });
    });
    return loops::all_reduce(linked, std::plus<int>(), loops::group::locale) > 0;
  }
  // [task; suspends; collective over the locale] Leaves the parents of own vertices roots.
  void compress();

 private:
  struct arena {
    arena(std::uint32_t own, int cores);
    loops::shared_loop to_link, to_compress;
  };
  static constexpr std::uint32_t nowhere = std::numeric_limits<std::uint32_t>::max();

  template <class Places>
  void plant(const Places places);
  template <class Places>
  void link_roots(const Places places);
  // Hands on their places.
  template <class Places, class Visit>
  void visit_neighbours(std::uint32_t v, const Places places, Visit visit) const {
    for (const std::uint32_t neighbour : graph_.out_rows->of(v)) visit(places.place_of(neighbour));
    if (graph_.symmetric) return;
    for (const std::uint32_t neighbour : graph_.in_rows->of(v)) visit(places.place_of(neighbour));
  }

  const graph::locale_graph& graph_;
  const graph::core_part& part_;
  const tree_places places_;
  forest trees_;
  std::shared_ptr<arena> arena_;
  std::vector<std::uint32_t> roots_;  // own vertices of this core, that have edges
};

}  // namespace orujo::algorithms
