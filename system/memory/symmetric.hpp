// Symmetric objects: one copy per core under one handle that can travel.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <utility>

#include "system/base/check.hpp"
#include "system/base/identity.hpp"

namespace orujo::memory {

// One core's copies, by handle.
class symmetric_heap {
 public:
  // The calling core's heap.
  static symmetric_heap& here() { return of_this_core(here_); }
  void bind_to_this_thread() { here_ = this; }

  std::uint64_t take_number(core_id me) { return static_cast<std::uint64_t>(me) << 40 | ++last_number_; }
  void put(std::uint64_t number, std::shared_ptr<void> object) {
    recent_[place_of(number)] = {number, object.get()};
    objects_[number] = std::move(object);
  }
  // Null if there is none.
  void* find(std::uint64_t number) {
    entry& recent = recent_[place_of(number)];
    if (recent.number != number) [[unlikely]]
      recent = look_up(number);
    return recent.object;
  }
  void erase(std::uint64_t number) {
    recent_[place_of(number)] = {};
    objects_.erase(number);
  }

 private:
  struct entry {
    std::uint64_t number = 0;
    void* object = nullptr;
  };
  static constexpr std::size_t recent_entries = 64;
  static std::size_t place_of(std::uint64_t number) { return number % recent_entries; }
  [[gnu::noinline]] entry look_up(std::uint64_t number) const {
    const auto found = objects_.find(number);
    return {number, found == objects_.end() ? nullptr : found->second.get()};
  }

  static inline thread_local symmetric_heap* here_ = nullptr;
  std::uint64_t last_number_ = 0;
  std::array<entry, recent_entries> recent_{};  // the last found of each place
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
    symmetric_heap::here().put(number_, made);
    return *made;
  }
  // The calling core's copy, which it must have made. A few instructions for those used lately.
  T& here() const {
    T* mine = static_cast<T*>(symmetric_heap::here().find(number_));
    require(mine != nullptr,
            "an array, container or other symmetric object that this core does not have: destroyed already, "
            "or not made "
            "here yet");
    return *mine;
  }
  void erase_here() const { symmetric_heap::here().erase(number_); }

 private:
  std::uint64_t number_;
};

}  // namespace orujo::memory
