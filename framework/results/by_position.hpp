// Something of every vertex in ascending order of the external ids, whatever the partition.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "framework/graph/distributed_graph.hpp"
#include "system/containers/global_array.hpp"
#include "system/loops/forall.hpp"

namespace orujo::internal::results {

// [task; suspends] value_of(locale_graph, own vertex), called at the vertex's owner, at its position
// (numbering.hpp). A message of a T and 8 bytes for each vertex whose position is another core's. The caller
// destroys it.
template <class T, class ValueOf>
containers::global_array<T> by_position(graph::distributed_graph graph, const ValueOf& value_of) {
  const auto all = containers::global_array<T>::create(graph.here().vertices);
  delegates::completion_event written;
  loops::on_all_cores([=, event = written.ref()] {
    const graph::locale_graph& g = graph.here();
    const std::span<T> mine = all.local();
    const std::size_t first = all.range_here().first;
    for (std::uint32_t v = g.my_part().first; v < g.my_part().last; ++v) {
      const std::uint64_t position = g.position_of(v);
      if (position - first < mine.size()) {
        mine[position - first] = value_of(g, v);
      } else {
        delegates::async_write(event, all[position], value_of(g, v));
      }
    }
  });
  written.wait();
  return all;
}

}  // namespace orujo::internal::results
