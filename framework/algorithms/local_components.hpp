// The connected components that a locale finds by itself: those of its own vertices, its mirrors and the
// edges between them.
//
// After Afforest: Sutton, Ben-Nun, Barak, "Optimizing Parallel Graph Connectivity Computation via Subgraph
// Sampling", IPDPS 2018. Trees grow by hooking a root under a smaller vertex, so that the root of a
// component's only tree is in the end its smallest vertex. It departs from Afforest in two ways.
//
// The first sample is each vertex's smallest neighbour, if that is smaller than the vertex itself. This hooks
// every vertex at most once and never in a circle. So a core makes its trees in one pass over its own
// vertices, in ascending order, without atomics, and the parent's parent is known by then.
//
// The second sample is edges of the roots, which are few, instead of one more edge of every vertex. A root
// examines edges until it is in the largest tree. Vertices that are outside in the end do the same, until
// they are the giant's.
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "framework/graph/bit_set.hpp"
#include "framework/graph/distributed_graph.hpp"
#include "system/collectives/collectives.hpp"
#include "system/loops/schedule.hpp"

namespace orujo::internal::algorithms {

// Trees shared by a locale's cores: parents[i] is i for roots. Several threads may call the functions
// concurrently.
class forest {
 public:
  static constexpr std::uint32_t nowhere = std::numeric_limits<std::uint32_t>::max();  // no vertex

  explicit forest(std::span<std::uint32_t> parents) : parents_(parents) {}

  // Sets a parent above v. Several threads may do so only if v is not a root.
  void set_parent(std::uint32_t v, std::uint32_t parent) const {
    at(v).store(parent, std::memory_order_relaxed);
  }
  std::uint32_t parent(std::uint32_t v) const { return at(v).load(std::memory_order_relaxed); }
  [[gnu::always_inline]] void fetch(std::uint32_t v) const { __builtin_prefetch(&parents_[v]); }

  // Halves the path to the root. A parent that another thread has set concurrently stays, as it may be the
  // root: a store would restore an older one.
  std::uint32_t root(std::uint32_t v) const {
    std::uint32_t above = parent(v);
    for (std::uint32_t next = parent(above); next != above; next = parent(above)) {
      std::uint32_t seen = above;
      at(v).compare_exchange_strong(seen, next, std::memory_order_relaxed);
      v = above;
      above = next;
    }
    return above;
  }
  // As root(), without writing, and without a branch for paths of up to three steps.
  std::uint32_t near_root(std::uint32_t v) const {
    const std::uint32_t above = parent(parent(parent(v)));
    return parent(above) == above ? above : root(above);
  }
  // Joins the trees of two vertices. Returns the root of both, or nowhere if they were one tree. before(a, b)
  // says that root a remains one when it meets root b. It is a strict order of all vertices, the same for all
  // threads that link.
  template <class Before = std::less<std::uint32_t>>
  std::uint32_t link(std::uint32_t u, std::uint32_t v, Before before = {}) const {
    for (std::uint32_t a = root(u), b = root(v); a != b; a = root(a), b = root(b)) {
      if (before(a, b)) std::swap(a, b);
      std::uint32_t still_root = a;
      if (at(a).compare_exchange_strong(still_root, b, std::memory_order_relaxed)) return b;
    }
    return nowhere;
  }

 private:
  std::atomic_ref<std::uint32_t> at(std::uint32_t v) const { return std::atomic_ref(parents_[v]); }
  std::span<std::uint32_t> parents_;
};

// Places of vertices in a locale's trees: in the ascending order of their numbers, unlike their local
// indices. They are
//
//   mirrors before the own vertices | own vertices | mirrors after them
struct tree_places {
  std::uint32_t own = 0, mirrors_before = 0;

  explicit tree_places(const graph::locale_graph& g);
  // Returns the place of an own vertex or a mirror.
  std::uint32_t place_of(std::uint32_t local) const {
    if (local < own) return mirrors_before + local;
    const std::uint32_t mirror = local - own;
    return mirror < mirrors_before ? mirror : local;
  }
  std::uint32_t own_place(std::uint32_t own_vertex) const { return mirrors_before + own_vertex; }
  // Returns the local index of the vertex at a place.
  std::uint32_t local_at(std::uint32_t place) const {
    if (place < mirrors_before) return own + place;
    const std::uint32_t behind = place - mirrors_before;
    return behind < own ? behind : place;
  }
  bool is_own(std::uint32_t place) const { return place - mirrors_before < own; }
};

// The places if there are no mirrors, without branches: saves a sixth of the time on a mesh.
struct local_indices {
  static std::uint32_t place_of(std::uint32_t local) { return local; }
  static std::uint32_t own_place(std::uint32_t local) { return local; }
  static bool is_own(std::uint32_t) { return true; }
};

// One core's part.
class local_components {
 public:
  static constexpr std::uint32_t nowhere = forest::nowhere;  // no place

  // [task; suspends; collective over the locale] `parents` are the locale's, by place. The graph has in_rows
  // and out_rows in arrays.
  local_components(const graph::locale_graph& g, std::span<std::uint32_t> parents);

  const tree_places& places() const { return places_; }
  const forest& trees() const { return trees_; }
  forest& trees() { return trees_; }
  // [task; suspends; collective over the locale] Joins the ends of some edges between own vertices, and own
  // vertices with at most one mirror each.
  void sample();
  // The tree that has most of a sample of own vertices.
  struct largest_tree {
    std::uint32_t root = 0;
    std::uint64_t vertices = 0;  // own ones, estimated; 0 without own vertices
  };
  // Any thread, after sample().
  largest_tree guess_largest() const;

  // [task; suspends; collective over the locale] Sets outside() to the own vertices with edges that are not
  // in the tree of the place `giant`; nowhere stands for no tree. Calls pass(v, root) for every own vertex,
  // with the root of its tree. Calls pass_all(first, last, others) for at most 64 of them. Bit i of `others`
  // is set if first + i is outside of the tree, with edges or without.
  template <class Pass, class PassAll>
  void sort_out(std::uint32_t giant, Pass pass, PassAll pass_all) {
    loops::collective_forall(arena_->to_sort, [&](const loops::chunk& c) {
      graph_.mirrors == 0 ? sort_chunk(local_indices(), c, giant, pass, pass_all)
                          : sort_chunk(places_, c, giant, pass, pass_all);
    });
  }
  const graph::bit_set& outside() const { return arena_->outside; }

  // [task; suspends; collective over the locale] Joins along all edges of vertices outside(), except those
  // that are in the giant's tree by then. known(local) says that an own vertex or mirror is the giant's, in
  // whatever tree. Returns true if it joined any trees.
  template <class Known, class Before = std::less<std::uint32_t>>
  bool join_outside(std::uint32_t giant, Known known, Before before = {}) {
    std::vector<std::uint32_t> rest;
    int linked = 0;
    loops::collective_forall(arena_->to_link, [&](const loops::chunk& c) {
      rest.clear();
      outside().for_each_between(
          c.first, c.last, [&](std::size_t index) { rest.push_back(static_cast<std::uint32_t>(index)); });
      for (std::size_t k = 0; k < rest.size(); ++k) {
        const std::uint32_t soon = rest[std::min(k + rows_ahead, rest.size() - 1)];
        fetch_row(soon);
        trees_.fetch(trees_.parent(places_.own_place(soon)));
        if (join_all_edges(rest[k], giant, known, before)) linked = 1;
      }
    });
    return collectives::all_reduce(linked, std::plus<int>(), collectives::group::locale) > 0;
  }
  // Calls visit(local index) for the neighbours of an own vertex until it returns false.
  template <class Visit>
  void visit_neighbours(std::uint32_t v, Visit visit) const {
    for (const std::uint32_t neighbour : graph_.out_rows->of(v)) {
      if (!visit(neighbour)) return;
    }
    if (graph_.both_ways) return;
    for (const std::uint32_t neighbour : graph_.in_rows->of(v)) {
      if (!visit(neighbour)) return;
    }
  }
  // [task; suspends; collective over the locale] Makes the parents of own vertices roots.
  void compress();

 private:
  struct arena {
    arena(std::uint32_t own, int cores);
    loops::shared_loop to_sort, to_link, to_compress;
    graph::bit_set outside;  // own vertices
  };
  // Rows this number of vertices ahead are fetched.
  static constexpr std::size_t rows_ahead = 24;

  template <class Places>
  void plant(const Places places);
  template <class Places>
  void link_roots(const Places places);
  template <class Places, class Pass, class PassAll>
  void sort_chunk(const Places places, const loops::chunk& c, std::uint32_t giant, Pass pass,
                  PassAll pass_all) {
    const forest trees = trees_;
    for (std::size_t first = c.first; first < c.last; first += graph::bit_set::word_bits) {
      const std::size_t last = std::min(first + graph::bit_set::word_bits, c.last);
      graph::bit_set::word others = 0;
      for (std::size_t index = first; index < last; ++index) {
        const auto v = static_cast<std::uint32_t>(index);
        const std::uint32_t root = trees.near_root(places.own_place(v));
        pass(v, root);
        others |= graph::bit_set::word{root != giant} << (index - first);
      }
      pass_all(static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(last), others);
      if (others != 0) others &= with_edges(first, last);
      arena_->outside.words()[graph::bit_set::word_of(first)] = others;
    }
  }
  // Returns the bits of the vertices with edges, of at most a word's own vertices.
  graph::bit_set::word with_edges(std::size_t first, std::size_t last) const {
    graph::bit_set::word found = 0;
    const auto look = [&](const std::uint64_t* offsets) {
      for (std::size_t k = 0; k < last - first; ++k)
        found |= graph::bit_set::word{offsets[k] != offsets[k + 1]} << k;
    };
    look(graph_.out_rows->offsets.data() + first);
    if (!graph_.both_ways) look(graph_.in_rows->offsets.data() + first);
    return found;
  }
  // Inlined, as compilers assume that a call of a function that only fetches has no effect.
  [[gnu::always_inline]] void fetch_row(std::uint32_t v) const {
    __builtin_prefetch(&graph_.out_rows->neighbours[graph_.out_rows->offsets[v]]);
    if (!graph_.both_ways) __builtin_prefetch(&graph_.in_rows->neighbours[graph_.in_rows->offsets[v]]);
  }
  // Joins along all edges of v, or along some if it reaches the giant's tree. Returns true if it joined any
  // trees.
  template <class Known, class Before>
  bool join_all_edges(std::uint32_t v, std::uint32_t& giant, Known& known, Before& before) {
    const std::uint32_t place = places_.place_of(v);
    const auto is_outside = [&](std::uint32_t root) {
      if (giant != nowhere && trees_.parent(giant) != giant) giant = trees_.root(giant);
      return root != giant;
    };
    if (!is_outside(trees_.root(place))) return false;
    bool linked = false;
    visit_neighbours(v, [&](std::uint32_t neighbour) {
      const bool last = known(neighbour);
      const std::uint32_t root = trees_.link(place, last ? giant : places_.place_of(neighbour), before);
      if (root == nowhere) return !last;
      linked = true;
      return !last && is_outside(root);
    });
    return linked;
  }

  const graph::locale_graph& graph_;
  const graph::core_part& part_;
  const tree_places places_;
  forest trees_;
  std::shared_ptr<arena> arena_;
  std::vector<std::uint32_t> roots_;  // own vertices of this core with edges
};

}  // namespace orujo::internal::algorithms
