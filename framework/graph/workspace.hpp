// Working memory that outlives its users.
#pragma once

#include <memory>
#include <mutex>
#include <typeindex>
#include <unordered_map>
#include <utility>

namespace orujo::internal::graph {

// One object per type, kept until the workspace goes. An algorithm keeps memory here that it would otherwise
// allocate, and whose pages it would touch, each time that it runs. Any thread.
class workspace {
 public:
  // make() returns a std::shared_ptr<T>.
  template <class T, class Make>
  std::shared_ptr<T> get(Make make) {
    const std::scoped_lock locked(mutex_);
    std::shared_ptr<void>& kept = kept_[typeid(T)];
    if (!kept) kept = make();
    return std::static_pointer_cast<T>(kept);
  }

  // For users that must not share: null if there is none, or if another one has it.
  template <class T>
  std::shared_ptr<T> take() {
    const std::scoped_lock locked(mutex_);
    return std::static_pointer_cast<T>(std::exchange(kept_[typeid(T)], nullptr));
  }
  template <class T>
  void keep(std::shared_ptr<T> object) {
    const std::scoped_lock locked(mutex_);
    kept_[typeid(T)] = std::move(object);
  }

 private:
  std::mutex mutex_;
  std::unordered_map<std::type_index, std::shared_ptr<void>> kept_;
};

}  // namespace orujo::internal::graph
