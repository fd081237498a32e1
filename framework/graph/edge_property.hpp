// State of the edges of a program, beside their weights.
#pragma once

#include <span>

#include "framework/graph/distributed_graph.hpp"
#include "framework/graph/kept_forms.hpp"
#include "framework/graph/shared_values.hpp"
#include "framework/graph/vertex.hpp"
#include "system/loops/forall.hpp"

namespace orujo::graph {

// One T per in-edge, zero at first, at the edge's target; a handle that can travel. The values of a vertex
// are in the order of its in-neighbours (neighbours<>). Its program may change them in collect() and apply().
// In a symmetric graph each end of an edge has an in-edge from the other, and keeps values of its own.
template <class T>
class edge_property {
 public:
  // [task; suspends] The graph keeps rows of in-edges.
  static edge_property create(graph::distributed_graph graph) {
    graph::require_forms(graph.here(), {.in_rows = true, .in_arrays = false}, "edge_property:");
    return edge_property(detail::shared_values<T>::create(
        graph, [](const graph::locale_graph& g) { return g.in_rows; },
        [](const graph::locale_graph& g) { return g.in_rows->edges(); },
        [](const graph::locale_graph& g) {
          const auto& offsets = g.in_rows->offsets;
          return loops::index_range{offsets[g.my_part().first], offsets[g.my_part().last]};
        }));
  }
  // [task; suspends]
  void destroy() const { values_.destroy(); }

  // The vertex is an own one of the calling core's locale, of the graph that the property was created for or
  // one with the same rows of in-edges. Programs compiled without NDEBUG end with exit_status::misuse if it
  // is another graph's.
  std::span<T> of(const vertex& v) const {
#ifndef NDEBUG
    require(values_.belong_to(v.part->in_rows),
            "a property of the edges of one graph is used with another: create one for this graph by "
            "edge_property<T>::create(graph)");
#endif
    const auto& offsets = v.part->in_rows->offsets;
    return values_.here().part(offsets[v.local], offsets[v.local + 1]);
  }

 private:
  explicit edge_property(detail::shared_values<T> values) : values_(values) {}
  detail::shared_values<T> values_;
};

}  // namespace orujo::graph
