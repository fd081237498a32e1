// The state that a vertex program names for its checkpoints.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "framework/graph/distributed_graph.hpp"
#include "framework/graph/property.hpp"
#include "system/checkpoint/state.hpp"
#include "system/memory/global_address.hpp"

namespace orujo::internal::graph {

// One core's list of what a checkpoint of an algorithm on a graph holds. Every core adds the same objects in
// the same order.
class program_state {
 public:
  // Not for callers: the library makes it.
  program_state(checkpoint::state& all, const graph::locale_graph& g) : all_(all), graph_(g) {}

  // A value, or a vector of any size, that is equal at all cores.
  template <class T>
  void add(const std::string& name, T& value) {
    all_.add(name, value);
  }
  template <class T>
  void add(const std::string& name, std::vector<T>& value) {
    all_.add(name, value);
  }
  // A value of one core, such as a local variable of the main task.
  template <class T>
  void add(const std::string& name, memory::global_address<T> value) {
    all_.add(name, value);
  }
  // A property of the graph.
  template <class T>
  void add(const std::string& name, property<T> values, const call_site& at = call_site::current()) {
    values.require_graph(graph_, at);
    add_vertices(name, values.here().data());
  }
  // A value for every vertex, as an array of the locale by own vertex.
  template <class T>
  void add_vertices(const std::string& name, T* of_locale) {
    const graph::core_part& part = graph_.my_part();
    add_part(name, std::span(of_locale + part.first, part.last - part.first));
  }
  // A value for every vertex, of which `mine` are those of the calling core's vertices.
  template <class T>
  void add_part(const std::string& name, std::span<T> mine) {
    all_.add_part(name, graph_.vertices, graph_.first_vertex + graph_.my_part().first, mine);
  }

 private:
  checkpoint::state& all_;
  const graph::locale_graph& graph_;
};

}  // namespace orujo::internal::graph
