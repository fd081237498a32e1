// Per-vertex state of a program, beside the value that neighbours see.
#pragma once

#include <span>

#include "framework/gas/shared_values.hpp"
#include "framework/gas/vertex.hpp"
#include "framework/graph/distributed_graph.hpp"
#include "system/loops/forall.hpp"

namespace orujo::gas {

// One T per vertex, zero at first; a handle that can travel. A core touches its own vertices only, and those
// that its program is called for.
template <class T>
class property {
 public:
  // [task; suspends]
  static property create(graph::distributed_graph graph) {
    return property(detail::shared_values<T>::create(
        graph, [](const graph::locale_graph& g) { return g.own; },
        [](const graph::locale_graph& g) {
          return loops::index_range{g.my_part().first, g.my_part().last};
        }));
  }
  // [task; suspends]
  void destroy() const { values_.destroy(); }

  // The calling core's locale's values by own vertex.
  std::span<T> here() const {
    machine::huge_array<T>& values = values_.here();
    return {values.data(), values.size()};
  }
  // Of an own vertex of the calling core's locale.
  T& operator[](const vertex& v) const { return values_.here()[v.local]; }

 private:
  explicit property(detail::shared_values<T> values) : values_(values) {}
  detail::shared_values<T> values_;
};

}  // namespace orujo::gas
