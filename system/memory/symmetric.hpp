// Symmetric objects: one copy per core under one handle that can travel.
#pragma once

#include <glog/logging.h>

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <utility>

#include "system/messages/identity.hpp"

namespace orujo::memory {

// One core's copies, by handle.
class symmetric_heap {
 public:
  // The calling core's heap.
  static symmetric_heap& here() { return *here_; }
  void bind_to_this_thread() { here_ = this; }

  std::uint64_t take_number(core_id me) { return static_cast<std::uint64_t>(me) << 40 | ++last_number_; }
  std::shared_ptr<void>& operator[](std::uint64_t number) { return objects_[number]; }
  void erase(std::uint64_t number) { objects_.erase(number); }

 private:
  static inline thread_local symmetric_heap* here_ = nullptr;
  std::uint64_t last_number_ = 0;
  std::unordered_map<std::uint64_t, std::shared_ptr<void>> objects_;
};

// reserve() makes a handle; each core then makes and drops its own copy: nothing here sends a message.
template <class T>
class symmetric {
 public:
  explicit symmetric(std::uint64_t number) : number_(number) {}

  static symmetric reserve() { return symmetric(symmetric_heap::here().take_number(my_core())); }

  template <class... Arguments>
  T& emplace_here(Arguments&&... arguments) const {
    auto made = std::make_shared<T>(std::forward<Arguments>(arguments)...);
    symmetric_heap::here()[number_] = made;
    return *made;
  }
  // The calling core's copy, which it must have made. A hash look-up: keep the reference in loops.
  T& here() const {
    T* mine = static_cast<T*>(symmetric_heap::here()[number_].get());
    DCHECK(mine != nullptr) << "a symmetric object that this core did not make";
    return *mine;
  }
  void erase_here() const { symmetric_heap::here().erase(number_); }

 private:
  std::uint64_t number_;
};

}  // namespace orujo::memory
