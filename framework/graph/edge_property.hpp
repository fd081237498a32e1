// State of the edges of a program, beside their weights.
#pragma once

#include <span>

#include "framework/graph/distributed_graph.hpp"
#include "framework/graph/kept_forms.hpp"
#include "framework/graph/shared_values.hpp"
#include "framework/graph/vertex.hpp"
#include "system/loops/forall.hpp"

namespace orujo::internal::graph {

// A value of type T for every in-edge, zero at first, at the target of the edge. The object is a handle,
// which can travel. The values of a vertex are in the order of its in-neighbours (neighbours<>); its program
// changes them in collect() and apply(). In a symmetric graph each end of an edge has an in-edge, and a
// value, of its own.
template <class T>
class edge_property {
 public:
  // [task; suspends] Makes a property of the in-edges of a graph that keeps rows of them.
  static edge_property create(graph::distributed_graph graph) {
    graph::require_forms(graph.here(), {.in_rows = true, .in_arrays = false}, "edge_property:");
    return edge_property(detail::shared_values<T>::create(
        graph, [](const graph::locale_graph& g) { return g.in_rows; },
        [](const graph::locale_graph& g) { return g.in_rows->edges(); },
        [](const graph::locale_graph& g) {
          const auto& offsets = g.in_rows->offsets;
          return index_range{offsets[g.my_part().first], offsets[g.my_part().last]};
        }));
  }
  // [task; suspends] Frees the values.
  void destroy() const { values_.destroy(); }

  // The values of the in-edges of a vertex that the calling core's locale owns. It is a vertex of the graph
  // that the property was created for, or of one with the same rows of in-edges; programs compiled without
  // NDEBUG check that.
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

}  // namespace orujo::internal::graph
