// A core's queue from which other cores of the locale steal.
#pragma once

#include <sched.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <type_traits>
#include <utility>
#include <vector>

namespace orujo::internal::tasks {

// The owner adds and takes at the new end, thieves take from the old end, where tasks that spawn tasks tend
// to have the most work. An operation holds the only lock for a few instructions. A theft moves at most
// largest_theft values. Any thread may call any member.
template <class T>
class stealable_queue {
 public:
  static_assert(std::is_trivially_copyable_v<T>);
  static constexpr std::size_t largest_theft = 256;

  // A guess that costs no lock: it may miss the latest changes of other threads.
  std::size_t size() const { return size_.load(std::memory_order_relaxed); }

  // Exact: a value pushed after it is pushed by a thread that sees what the caller did before.
  bool is_empty() {
    const holder lock(*this);
    return first_ == last_;
  }

  void push(const T& value) {
    const holder lock(*this);
    if (last_ - first_ == slots_.size()) grow();
    slots_[last_++ & (slots_.size() - 1)] = value;
    publish_size();
  }

  // The newest value into `into`; false if there is none.
  bool pop(T& into) {
    if (size() == 0) return false;
    const holder lock(*this);
    if (first_ == last_) return false;
    into = slots_[--last_ & (slots_.size() - 1)];
    publish_size();
    return true;
  }

  // Appends the older half, rounded up, of at most `most` values, to `into`, oldest first. Returns their
  // number.
  std::size_t steal(std::vector<T>& into, std::size_t most = largest_theft) {
    if (size() == 0) return 0;
    const holder lock(*this);
    const std::size_t count = std::min(most, (last_ - first_ + 1) / 2);
    for (std::size_t k = 0; k < count; ++k) into.push_back(slots_[first_++ & (slots_.size() - 1)]);
    publish_size();
    return count;
  }

 private:
  class holder {
   public:
    explicit holder(stealable_queue& queue) : queue_(queue) {
      while (queue_.locked_.exchange(true, std::memory_order_acquire)) sched_yield();
    }
    ~holder() { queue_.locked_.store(false, std::memory_order_release); }
    holder(const holder&) = delete;

   private:
    stealable_queue& queue_;
  };

  void publish_size() { size_.store(last_ - first_, std::memory_order_relaxed); }

  void grow() {
    std::vector<T> larger(slots_.empty() ? 64 : 2 * slots_.size());
    const std::size_t count = last_ - first_;
    for (std::size_t k = 0; k < count; ++k) larger[k] = slots_[(first_ + k) & (slots_.size() - 1)];
    slots_ = std::move(larger);
    first_ = 0;
    last_ = count;
  }

  alignas(64) std::atomic<bool> locked_{false};
  std::atomic<std::size_t> size_{0};
  std::size_t first_ = 0, last_ = 0;
  std::vector<T> slots_;  // a power of two of them
};

}  // namespace orujo::internal::tasks
