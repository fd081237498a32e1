// Stacks for workers: pooled, guarded against overflow, with staggered tops.
#pragma once

#include <cstddef>
#include <vector>

namespace orujo::tasks {

struct stack {
  std::byte* bottom = nullptr;  // lowest usable byte; the guard page lies below
  std::byte* top = nullptr;     // one past the highest usable byte, 64-byte aligned
  bool guarded = false;         // false: only the canary at the bottom tells of an overflow

  // True when `address` lies where only an overflow of this stack would reach.
  bool guard_contains(const void* address) const;
};

// Owns the stacks of one core's workers; used by that core only.
class stack_pool {
 public:
  explicit stack_pool(std::size_t stack_bytes) : stack_bytes_(stack_bytes) {}
  stack_pool(const stack_pool&) = delete;
  ~stack_pool();

  // A new stack of the pool's size, or of `bytes` where given. Past the system's limit of mappings
  // (vm.max_map_count) stacks come without a guard page, which the log says once. Ends the job with
  // no_resource when there is no address space.
  stack make(std::size_t bytes = 0);

  // Ends the job with stack_overflow if the canary at the bottom was overwritten.
  static void check_canary(const stack& s, const char* origin);

 private:
  struct mapping {
    void* start;
    std::size_t bytes;
  };
  std::size_t stack_bytes_;
  std::vector<mapping> mappings_;
};

}  // namespace orujo::tasks
