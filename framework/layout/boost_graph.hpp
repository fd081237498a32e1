// Layouts for graphs of the Boost Graph Library: a copy of a graph in the order of hierarchical blocking.
// After section 8.1 of Roy, "Memory Hierarchy Sensitive Graph Layout". It takes an adjacency_list with vecS
// vertices or a compressed_sparse_row_graph. The library's algorithms run on the copy as on the original.
//
//   const auto laid = layout::lay_out(g, layout::machine_levels(), sizeof(properties));
//   boost::breadth_first_search(laid.graph, laid.place[root], ..);
//   old_name = laid.order[vertex];
#pragma once

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/compressed_sparse_row_graph.hpp>
#include <boost/graph/graph_traits.hpp>
#include <boost/graph/properties.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

#include "framework/layout/block_levels.hpp"
#include "framework/layout/hierarchical_blocking.hpp"

namespace orujo::internal::layout {

template <class Graph>
struct laid_out_graph {
  Graph graph;
  std::vector<std::uint32_t> order;  // by new vertex: the old one
  std::vector<std::uint32_t> place;  // by old vertex: the new one
};

namespace detail {

// The targets of v's out-edges, for one vertex at a time.
template <class Graph>
class boost_neighbours {
 public:
  explicit boost_neighbours(const Graph& g) : graph_(&g) {}
  const std::vector<std::uint32_t>& operator()(std::uint32_t v) const {
    if (v == of_) return row_;
    of_ = v;
    row_.clear();
    const auto [first, last] = out_edges(vertex(v, *graph_), *graph_);
    for (auto e = first; e != last; ++e) row_.push_back(static_cast<std::uint32_t>(target(*e, *graph_)));
    return row_;
  }

 private:
  const Graph* graph_;
  mutable std::uint32_t of_ = ~std::uint32_t{0};
  mutable std::vector<std::uint32_t> row_;
};

// The edges by the new number of their source; those of the same source as they were.
template <class Graph>
auto edges_by_place(const Graph& g, const std::vector<std::uint32_t>& order,
                    const std::vector<std::uint32_t>& place) {
  using traits = boost::graph_traits<Graph>;
  std::vector<typename traits::edge_descriptor> all;
  if constexpr (std::is_convertible_v<typename traits::directed_category, boost::directed_tag>) {
    for (const std::uint32_t v : order) {
      const auto [first, last] = out_edges(vertex(v, g), g);
      all.insert(all.end(), first, last);
    }
  } else {  // both ends have an edge
    const auto [first, last] = edges(g);
    all.assign(first, last);
    std::stable_sort(all.begin(), all.end(),
                     [&](const auto& a, const auto& b) { return place[source(a, g)] < place[source(b, g)]; });
  }
  return all;
}

template <class... Options>
boost::adjacency_list<Options...> copy_by_order(const boost::adjacency_list<Options...>& g,
                                                const std::vector<std::uint32_t>& order,
                                                const std::vector<std::uint32_t>& place) {
  boost::adjacency_list<Options...> copy(order.size());
  const auto from = get(boost::vertex_all, g);
  const auto to = get(boost::vertex_all, copy);
  for (std::size_t v = 0; v < order.size(); ++v) put(to, v, get(from, order[v]));
  for (const auto& e : edges_by_place(g, order, place))
    add_edge(place[source(e, g)], place[target(e, g)], get(boost::edge_all, g, e), copy);
  return copy;
}

template <class Direction, class VertexProperty, class EdgeProperty, class... Options>
auto copy_by_order(
    const boost::compressed_sparse_row_graph<Direction, VertexProperty, EdgeProperty, Options...>& g,
    const std::vector<std::uint32_t>& order, const std::vector<std::uint32_t>& place) {
  using graph_type = boost::compressed_sparse_row_graph<Direction, VertexProperty, EdgeProperty, Options...>;
  std::vector<std::pair<std::size_t, std::size_t>> ends;
  const auto sorted = edges_by_place(g, order, place);
  for (const auto& e : sorted) ends.emplace_back(place[source(e, g)], place[target(e, g)]);
  graph_type copy = [&] {
    if constexpr (std::is_same_v<EdgeProperty, boost::no_property>) {
      return graph_type(boost::edges_are_sorted, ends.begin(), ends.end(), order.size());
    } else {
      std::vector<EdgeProperty> properties;
      for (const auto& e : sorted) properties.push_back(g[e]);
      return graph_type(boost::edges_are_sorted, ends.begin(), ends.end(), properties.begin(), order.size());
    }
  }();
  if constexpr (!std::is_same_v<VertexProperty, boost::no_property>) {
    for (std::size_t v = 0; v < order.size(); ++v) copy[v] = g[order[v]];
  }
  return copy;
}

}  // namespace detail

// Any thread. Fewer than 2^32 vertices, which take vertex_bytes each. A vertex that earlier ones do not reach
// is laid out after them. The edges of a vertex stay in their order.
template <class Graph>
laid_out_graph<Graph> lay_out(const Graph& g, const block_levels& levels, std::size_t vertex_bytes) {
  auto order = hierarchical_order(num_vertices(g), detail::boost_neighbours<Graph>(g), levels, vertex_bytes);
  std::vector<std::uint32_t> place(order.size());
  for (std::uint32_t v = 0; v < order.size(); ++v) place[order[v]] = v;
  // Made in place: a copy of an adjacency_list would have its rows in another order in memory.
  return {detail::copy_by_order(g, order, place), order, place};
}

}  // namespace orujo::internal::layout
