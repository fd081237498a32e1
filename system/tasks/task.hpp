// A task: a closure to run once, with the place in the program it came from.
#pragma once

#include <cstddef>
#include <cstring>
#include <new>
#include <type_traits>
#include <utility>

namespace orujo::internal::tasks {

// A move-only void() callable. Closures of up to inline_bytes are held in place, larger ones on the heap.
class task {
 public:
  static constexpr std::size_t inline_bytes = 40;

  task() = default;
  template <class F>
  task(F&& f, const char* origin) : origin_(origin) {
    using closure = std::decay_t<F>;
    static_assert(std::is_invocable_v<closure&>, "a task is a closure without arguments");
    if constexpr (sizeof(closure) <= inline_bytes && std::is_nothrow_move_constructible_v<closure> &&
                  alignof(closure) <= 16) {
      new (storage_) closure(std::forward<F>(f));
      operations_ = &in_place<closure>;
    } else {
      new (storage_) closure*(new closure(std::forward<F>(f)));
      operations_ = &on_heap<closure>;
    }
  }
  task(task&& other) noexcept { take(other); }
  task& operator=(task&& other) noexcept {
    if (this != &other) {
      destroy();
      take(other);
    }
    return *this;
  }
  ~task() { destroy(); }

  void operator()() { operations_->run(storage_); }
  const char* origin() const { return origin_; }
  bool empty() const { return operations_ == nullptr; }
  // The offset of the origin in this object, for a debugger.
  static std::size_t offset_of_origin() { return offsetof(task, origin_); }

 private:
  // Operations that depend on the closure's type. A null move copies the bytes, and a null destroy does
  // nothing. Most closures allow both, and a task moves three times before it runs.
  struct operations {
    void (*run)(std::byte* self);
    void (*move)(std::byte* self, std::byte* to);
    void (*destroy)(std::byte* self);
  };

  template <class C>
  static C& held(std::byte* self) {
    return *std::launder(reinterpret_cast<C*>(self));
  }
  template <class C>
  static constexpr operations in_place = {
      [](std::byte* self) { static_cast<void>(held<C>(self)()); },
      std::is_trivially_copyable_v<C> ? nullptr
                                      : +[](std::byte* self, std::byte* to) {
                                          new (to) C(std::move(held<C>(self)));
                                          held<C>(self).~C();
                                        },
      std::is_trivially_destructible_v<C> ? nullptr : +[](std::byte* self) { held<C>(self).~C(); }};
  template <class C>
  static constexpr operations on_heap = {[](std::byte* self) { static_cast<void>((*held<C*>(self))()); },
                                         nullptr, [](std::byte* self) { delete held<C*>(self); }};

  void take(task& other) {
    operations_ = std::exchange(other.operations_, nullptr);
    origin_ = other.origin_;
    if (!operations_) return;
    if (operations_->move) return operations_->move(other.storage_, storage_);
    std::memcpy(storage_, other.storage_, inline_bytes);
  }
  void destroy() {
    const operations* held_before = std::exchange(operations_, nullptr);
    if (held_before && held_before->destroy) held_before->destroy(storage_);
  }

  const operations* operations_ = nullptr;
  const char* origin_ = "";
  alignas(16) std::byte storage_[inline_bytes] = {};
};

}  // namespace orujo::internal::tasks
