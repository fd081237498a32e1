// Working memory of runs, which stays with the graph from one run to the next: memory that is touched for the
// first time costs more than what many programs do with it.
#pragma once

#include <memory>

#include "framework/graph/distributed_graph.hpp"
#include "system/collectives/collectives.hpp"

namespace orujo::internal::graph {

// [task; suspends; collective over the locale] The T that the last run on this graph left, if reuse(it) says
// that it will do, or what make() returns. No other run has it until all cores have dropped it; then it stays
// with the graph.
template <class T, class Reuse, class Make>
std::shared_ptr<T> share_kept(graph::locale_graph& g, Reuse reuse, Make make) {
  return collectives::share_on_locale<T>([&] {
    std::shared_ptr<T> object = g.kept->template take<T>();
    if (!object || !reuse(*object)) object = make();
    T* const shared = object.get();
    return std::shared_ptr<T>(shared, [object, back = std::weak_ptr(g.kept)](T*) {
      if (const auto there = back.lock()) there->keep(object);
    });
  });
}

}  // namespace orujo::internal::graph
