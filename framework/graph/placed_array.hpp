// Arrays of values by vertex that the cores of a locale share: the state of searches.
#pragma once

#include <cstddef>
#include <memory>

#include "framework/graph/distributed_graph.hpp"
#include "system/collectives/collectives.hpp"
#include "system/machine/huge_array.hpp"
#include "system/machine/topology.hpp"

namespace orujo::internal::graph {

// [task; suspends; collective over the locale] Zeros by local index. The values of each core's vertices are
// in its NUMA domain, those of mirrors in that of the thread that first touches them.
template <class T>
std::shared_ptr<machine::huge_array<T>> share_placed(const locale_graph& g) {
  const auto made = collectives::share_on_locale<machine::huge_array<T>>(
      [&] { return std::make_shared<machine::huge_array<T>>(std::size_t{g.own} + g.mirrors); });
  machine::place_here(made->part(g.my_part().first, g.my_part().last));
  return made;
}

}  // namespace orujo::internal::graph
