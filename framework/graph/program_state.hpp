// The state that a vertex program names for its checkpoints.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "framework/graph/distributed_graph.hpp"
#include "framework/graph/property.hpp"
#include "system/checkpoint/state.hpp"
#include "system/memory/global_address.hpp"

namespace orujo::graph {

// One core's view of a checkpoint::state, for things of a graph.
class program_state {
 public:
  program_state(checkpoint::state& all, const graph::locale_graph& g) : all_(all), graph_(g) {}

  // A value that all cores' programs have alike.
  template <class T>
  void add(const std::string& name, T& value) {
    all_.add(name, value);
  }
  template <class T>
  void add(const std::string& name, std::vector<T>& value) {
    all_.add(name, value);
  }
  // A value that one core has, such as the task's that calls.
  template <class T>
  void add(const std::string& name, memory::global_address<T> value) {
    all_.add(name, value);
  }
  // A value of every vertex of the graph.
  template <class T>
  void add(const std::string& name, property<T> values, const call_site& at = call_site::current()) {
    values.require_graph(graph_, at);
    add_vertices(name, values.here().data());
  }
  // The same as the locale has them, by own vertex.
  template <class T>
  void add_vertices(const std::string& name, T* of_locale) {
    const graph::core_part& part = graph_.my_part();
    add_part(name, std::span(of_locale + part.first, part.last - part.first));
  }
  // The same for the calling core's vertices only.
  template <class T>
  void add_part(const std::string& name, std::span<T> mine) {
    all_.add_part(name, graph_.vertices, graph_.first_vertex + graph_.my_part().first, mine);
  }

 private:
  checkpoint::state& all_;
  const graph::locale_graph& graph_;
};

}  // namespace orujo::graph
