// A first-in first-out queue in one growing array.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

namespace orujo::internal::base {

// T must be default-constructible and movable. push is amortised O(1); nothing shrinks.
template <class T>
class ring {
 public:
  bool empty() const { return first_ == last_; }
  std::size_t size() const { return last_ - first_; }

  template <class U>
  void push(U&& value) {
    if (size() == capacity_) [[unlikely]]
      return push_into_larger(T(std::forward<U>(value)));  // it may be one of ours
    slots_[last_++ & (capacity_ - 1)] = std::forward<U>(value);
  }
  // The oldest value; the queue must not be empty.
  T pop() { return std::move(slots_[first_++ & (capacity_ - 1)]); }
  // The k-th oldest; k < size().
  const T& operator[](std::size_t k) const { return slots_[(first_ + k) & (capacity_ - 1)]; }

 private:
  [[gnu::noinline]] void push_into_larger(T value) {
    grow();
    push(std::move(value));
  }
  void grow() {
    std::vector<T> larger(capacity_ == 0 ? 64 : 2 * capacity_);
    const std::size_t count = size();
    for (std::size_t k = 0; k < count; ++k) larger[k] = pop();
    slots_ = std::move(larger);
    capacity_ = slots_.size();
    first_ = 0;
    last_ = count;
  }

  std::vector<T> slots_;
  std::size_t capacity_ = 0;  // of slots_; a power of two
  std::size_t first_ = 0, last_ = 0;
};

}  // namespace orujo::internal::base
