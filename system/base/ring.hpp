// A first-in first-out queue in one growing array.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

namespace orujo {

// T must be default-constructible and movable. push is amortised O(1); nothing shrinks.
template <class T>
class ring {
 public:
  bool empty() const { return first_ == last_; }
  std::size_t size() const { return last_ - first_; }

  void push(T value) {
    if (size() == slots_.size()) grow();
    slots_[last_++ & (slots_.size() - 1)] = std::move(value);
  }
  // The oldest value; the queue must not be empty.
  T pop() { return std::move(slots_[first_++ & (slots_.size() - 1)]); }

 private:
  void grow() {
    std::vector<T> larger(slots_.empty() ? 64 : 2 * slots_.size());
    const std::size_t count = size();
    for (std::size_t k = 0; k < count; ++k) larger[k] = pop();
    slots_ = std::move(larger);
    first_ = 0;
    last_ = count;
  }

  std::vector<T> slots_;  // a power of two of them
  std::size_t first_ = 0, last_ = 0;
};

}  // namespace orujo
