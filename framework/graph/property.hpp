// Per-vertex state of a program, beside the value that neighbours see.
#pragma once

#include <span>

#include "framework/graph/distributed_graph.hpp"
#include "framework/graph/shared_values.hpp"
#include "framework/graph/vertex.hpp"
#include "system/base/check.hpp"
#include "system/base/host_device.hpp"
#include "system/loops/forall.hpp"

namespace orujo::internal::graph {

// A value of type T for every vertex, zero at first. The object is a handle, which can travel. A core
// accesses the values of its own vertices, and of those that its program is called for.
//
// A property belongs to the graph that it is created for, and to graphs with the same vertices
// (graph::transposed()). Functions that take a property and a graph end the job with `exit_status::misuse` if
// the two do not belong together. They do not see a property that a program or closure captures. Programs
// compiled without NDEBUG check that one at every operator[].
template <class T>
class property {
 public:
  // [task; suspends] Makes a property of the graph.
  static property create(graph::distributed_graph graph) {
    return property(detail::shared_values<T>::create(
        graph, [](const graph::locale_graph& g) { return g.vertex_space; },
        [](const graph::locale_graph& g) { return g.own; },
        [](const graph::locale_graph& g) {
          return index_range{g.my_part().first, g.my_part().last};
        }));
  }
  // [task; suspends] Frees the values.
  void destroy() const { values_.destroy(); }

  // The values of the calling core's locale, by own vertex.
  std::span<T> here() const {
    machine::huge_array<T>& values = values_.here();
    return {values.data(), values.size()};
  }
  // The value of a vertex that the calling core's locale owns.
  ORUJO_HOST_DEVICE T& operator[](const vertex& v) const {
#ifdef __CUDA_ARCH__
    return on_gpu_[v.local];
#else
#ifndef NDEBUG
    require(belongs_to(*v.part), mixed);
#endif
    return values_[v.local];
#endif
  }

  // Ends the job with `exit_status::misuse` if it does not belong to the graph.
  void require_graph(const graph::locale_graph& g, const call_site& at = call_site::current()) const {
    require(belongs_to(g), mixed, at);
  }

 private:
  static constexpr const char* mixed =
      "a property of one graph is used with another: create one for this graph by property<T>::create(graph)";
  bool belongs_to(const graph::locale_graph& g) const { return values_.belong_to(g.vertex_space); }
  explicit property(detail::shared_values<T> values) : values_(values) {}
  friend class device_state;
  detail::shared_values<T> values_;
  T* on_gpu_ = nullptr;  // where a copy that runs on a GPU has them (device_state.hpp)
};

}  // namespace orujo::internal::graph
