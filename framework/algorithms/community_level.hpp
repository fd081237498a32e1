// A level of community detection: a graph whose vertices are communities of the level below.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "framework/gas/weight_sums.hpp"
#include "framework/graph/distributed_graph.hpp"
#include "system/collectives/collectives.hpp"

namespace orujo::internal::algorithms {

// A locale's part of a level, which its cores share. The graph is symmetric and has rows of in-edges. Loops
// count in the mass alone.
//
// A small level has no parts: core 0 has all of it, and works on it alone. There functions that are
// "collective over the level" are called by core 0 only, and otherwise by all cores of the job.
struct community_level {
  community_level(std::shared_ptr<const graph::locale_graph> of, bool at_core_0)
      : graph(std::move(of)), alone(at_core_0), mass(graph->own) {}

  std::shared_ptr<const graph::locale_graph> graph;
  bool alone;
  std::vector<double> mass;  // by own vertex: weights of its edges, or vertices of the lowest level

  // The calling core's vertices.
  std::uint32_t first() const { return alone ? 0 : graph->my_part().first; }
  std::uint32_t last() const { return alone ? graph->own : graph->my_part().last; }
  // True if other locales have vertices of it.
  bool is_split() const { return !alone && locales() > 1; }

  // Calls visit(v) for these own vertices, and fetches their rows before.
  template <class Visit>
  void visit_rows(std::span<const std::uint32_t> vertices, Visit visit) const {
    constexpr std::size_t ahead = 6;
    const graph::edge_reader edges = graph->in_rows->any_form();
    const std::uint64_t* const offsets = graph->in_rows->offsets.data();
    for (std::size_t k = 0; k < vertices.size(); ++k) {
      if (k + 2 * ahead < vertices.size()) __builtin_prefetch(&offsets[vertices[k + 2 * ahead]]);
      if (k + ahead < vertices.size()) {
        const std::uint64_t first = offsets[vertices[k + ahead]];
        const void* const row =
            edges.arcs ? static_cast<const void*>(&edges.arcs[first]) : &edges.neighbours[first];
        __builtin_prefetch(row);
      }
      visit(vertices[k]);
    }
  }

  std::uint64_t degree(std::uint32_t v) const { return graph->in_rows->degree(v); }
  // Calls visit(local index, weight) for the neighbours of an own vertex but itself. `fetch(local index)`
  // comes some calls earlier.
  template <class Visit, class Fetch>
  void visit_neighbours(std::uint32_t v, Fetch fetch, Visit visit) const {
    const graph::edge_reader edges = graph->in_rows->any_form();
    const std::uint64_t last = graph->in_rows->offsets[v + 1];
    for (std::uint64_t k = graph->in_rows->offsets[v]; k < last; ++k) {
      fetch(edges.neighbour(k + graph::adjacency::spare_slots));
      if (const auto [neighbour, weight] = edges[k]; neighbour != v) visit(neighbour, weight);
    }
  }

  // [task; suspends; collective over the level's cores of the locale]
  void meet() const {
    if (!alone) collectives::barrier(collectives::group::locale);
  }
  template <class T, class... Arguments>
  std::shared_ptr<T> share(const Arguments&... arguments) const {
    const auto make = [&] { return std::make_shared<T>(arguments...); };
    return alone ? make() : collectives::share_on_locale<T>(make);
  }
  // [task; suspends; collective over the level] The sum of the cores' values.
  template <class T>
  T sum(const T& mine) const {
    return alone ? mine : collectives::all_reduce(mine);
  }
};

// [task; suspends; collective over the job] Sends values to one core of each other locale. Returns what has
// arrived at this one.
template <class T>
std::vector<std::vector<T>> tell_locales(const std::vector<T>& mine) {
  by_core<std::vector<T>> outgoing(cores());
  for (locale_id l = 0; l < locales(); ++l) {
    const core_id to = shape().first_core_of(l) + my_core() % shape().cores_of(l);
    if (l != my_locale()) outgoing[to] = mine;
  }
  return collectives::all_to_all(outgoing);
}

}  // namespace orujo::internal::algorithms
