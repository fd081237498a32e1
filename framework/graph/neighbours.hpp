// The edges of single vertices where these live, and values of vertices that live elsewhere: for loops over a
// graph that are neither a vertex program nor an edge map.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <span>

#include "framework/graph/adjacency.hpp"
#include "framework/graph/distributed_graph.hpp"
#include "framework/graph/property.hpp"
#include "framework/graph/vertex.hpp"
#include "system/delegates/call_on_all.hpp"
#include "system/delegates/gather.hpp"
#include "system/loops/forall.hpp"

namespace orujo::internal::graph {

// A neighbour, by vertex number, and the weight of the edge.
struct adjacent_vertex {
  std::uint64_t number;
  float weight;  // of the edge; 1 in graphs without weights
  friend auto operator<=>(const adjacent_vertex&, const adjacent_vertex&) = default;
};

// The out-edges or the in-edges of a vertex: a range of adjacent_vertex, ascending by number and then weight.
// It is valid at the vertex's locale, while the graph exists. A neighbour that lives at another locale costs
// a memory access more.
class neighbour_row {
 public:
  class iterator {
   public:
    using value_type = adjacent_vertex;
    using difference_type = std::ptrdiff_t;
    iterator() = default;
    iterator(const neighbour_row* row, std::size_t at) : row_(row), at_(at) {}
    adjacent_vertex operator*() const { return (*row_)[at_]; }
    iterator& operator++() {
      ++at_;
      return *this;
    }
    iterator operator++(int) { return {row_, at_++}; }
    bool operator==(const iterator& other) const { return at_ == other.at_; }

   private:
    const neighbour_row* row_ = nullptr;
    std::size_t at_ = 0;
  };

  neighbour_row(const locale_graph& g, const adjacency& rows, std::uint32_t own_vertex)
      : g_(g), edges_(rows.any_form()), first_(rows.offsets[own_vertex]), size_(rows.degree(own_vertex)) {}

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  adjacent_vertex operator[](std::size_t k) const {
    const auto [neighbour, weight] = edges_[first_ + k];
    return {g_.number_of(neighbour), weight};
  }
  iterator begin() const { return {this, 0}; }
  iterator end() const { return {this, size_}; }

 private:
  const locale_graph& g_;
  const edge_reader edges_;
  const std::uint64_t first_;
  const std::size_t size_;
};

// Any thread. The out-edges of a vertex of this locale. Ends the job with `exit_status::usage` if the graph
// keeps no rows of out-edges (edge_forms.hpp).
//   forall(graph, [=](const vertex& v) {
//     for (const auto [number, weight] : out_neighbours(v)) ...
//   });
neighbour_row out_neighbours(const vertex& v);
// Any thread. The in-edges of a vertex of this locale, as out_neighbours(); the graph keeps rows of in-edges.
neighbour_row in_neighbours(const vertex& v);

// [task; suspends] Reads the values of the vertices of these numbers into `into`, one for each number, from
// wherever they live (system/delegates/gather.hpp). Numbers come in any order and may repeat. Costs 2
// messages per core more than the gather. A number that no vertex has is a misuse.
template <class T, delegates::detail::indices Numbers>
void gather_values(distributed_graph graph, property<T> values, const Numbers& numbers, std::span<T> into,
                   const call_site& at = call_site::current()) {
  struct places {
    const partition& owners;
    const by_core<const T*>& bases;
    delegates::detail::element_place place_of(std::uint64_t number) const {
      const core_id owner = owners.owner(number);
      return {owner, number - owners.first_of(owner)};
    }
    const T* base_of(core_id core) const { return bases[core]; }
  };
  const locale_graph& g = graph.here();
  values.require_graph(g, at);
  delegates::detail::require_as_many(numbers, into.size(), at);
  for (const auto number : numbers)
    base::require_index(static_cast<std::size_t>(number), g.vertices, "a graph", at);
  by_core<const T*> bases(cores());
  delegates::call_on_all(
      [graph, values]() -> const T* { return values.here().data() + graph.here().my_part().first; },
      [&bases](core_id c, const T* base) { bases[c] = base; });
  delegates::detail::gather_from(places{g.owners, bases}, numbers, into);
}

// [task; suspends] Runs body(const vertex&) for the calling core's vertices. A forall() calls it at every
// core; then the body has to be able to travel.
template <class Body>
void distributed_graph::forall_here(const Body& body, loops::loop_options options) const {
  const locale_graph& g = here();
  loops::forall_here(
      {g.my_part().first, g.my_part().last},
      [&](std::size_t v) { body(vertex_at(g, static_cast<std::uint32_t>(v))); }, options);
}

}  // namespace orujo::internal::graph
