// A task: a closure to run once, with the place in the program it came from.
#pragma once

#include <cstddef>
#include <new>
#include <type_traits>
#include <utility>

namespace orujo::tasks {

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
      operate_ = &operate_in_place<closure>;
    } else {
      *reinterpret_cast<closure**>(storage_) = new closure(std::forward<F>(f));
      operate_ = &operate_on_heap<closure>;
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

  void operator()() { operate_(action::run, storage_, nullptr); }
  const char* origin() const { return origin_; }
  bool empty() const { return operate_ == nullptr; }
  // Where the origin lies in this object, for a debugger.
  static std::size_t offset_of_origin() { return offsetof(task, origin_); }

 private:
  enum class action { run, move, destroy };

  template <class C>
  static void operate_in_place(action what, std::byte* self, std::byte* to) {
    C& closure = *std::launder(reinterpret_cast<C*>(self));
    if (what == action::run) return static_cast<void>(closure());
    if (what == action::move) new (to) C(std::move(closure));
    closure.~C();
  }
  template <class C>
  static void operate_on_heap(action what, std::byte* self, std::byte* to) {
    C* closure = *reinterpret_cast<C**>(self);
    if (what == action::run) return static_cast<void>((*closure)());
    if (what == action::move) {
      *reinterpret_cast<C**>(to) = closure;
    } else {
      delete closure;
    }
  }
  void take(task& other) {
    operate_ = std::exchange(other.operate_, nullptr);
    origin_ = other.origin_;
    if (operate_) operate_(action::move, other.storage_, storage_);
  }
  void destroy() {
    if (operate_) std::exchange(operate_, nullptr)(action::destroy, storage_, nullptr);
  }

  void (*operate_)(action, std::byte*, std::byte*) = nullptr;
  const char* origin_ = "";
  alignas(16) std::byte storage_[inline_bytes];
};

}  // namespace orujo::tasks
