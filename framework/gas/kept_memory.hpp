// Working memory of runs, which stays with the graph from one run to the next: memory that is touched for the
// first time costs more than what many programs do with it.
#pragma once

#include <memory>
#include <mutex>
#include <typeindex>
#include <unordered_map>
#include <utility>

#include "framework/graph/distributed_graph.hpp"
#include "system/loops/collectives.hpp"

namespace orujo::gas::detail {

// One object of each type. Any thread.
class kept_memory {
 public:
  // Null where there is none: never was, or a run has it.
  template <class T>
  std::shared_ptr<T> take() {
    const std::scoped_lock lock(mutex_);
    return std::static_pointer_cast<T>(std::exchange(objects_[typeid(T)], nullptr));
  }
  template <class T>
  void keep(std::shared_ptr<T> object) {
    const std::scoped_lock lock(mutex_);
    objects_[typeid(T)] = std::move(object);
  }

 private:
  std::mutex mutex_;
  std::unordered_map<std::type_index, std::shared_ptr<void>> objects_;
};

// [task; suspends; collective over the locale] The T that the last run on this graph left, if reuse(it) says
// that it will do, or what make() returns. No other run has it until all cores have dropped it; then it stays
// with the graph.
template <class T, class Reuse, class Make>
std::shared_ptr<T> share_kept(graph::locale_graph& g, Reuse reuse, Make make) {
  return loops::share_on_locale<T>([&] {
    if (!g.kept) g.kept = std::make_shared<kept_memory>();
    const auto kept = std::static_pointer_cast<kept_memory>(g.kept);
    std::shared_ptr<T> object = kept->take<T>();
    if (!object || !reuse(*object)) object = make();
    T* const shared = object.get();
    return std::shared_ptr<T>(shared, [object, back = std::weak_ptr(kept)](T*) {
      if (const auto there = back.lock()) there->keep(object);
    });
  });
}

}  // namespace orujo::gas::detail
