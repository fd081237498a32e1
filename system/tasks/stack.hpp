// Stacks for workers: pooled, guarded against overflow, with staggered tops.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace orujo::internal::tasks {

// The largest guard below a stack. A guard takes at most half of the stack, because small stacks are many and
// a guard needs a page table, too. A frame that is larger than the guard may jump over it if it was compiled
// without -fstack-clash-protection. `orujo::system` passes this option on to its users.
inline constexpr std::size_t most_guard_bytes = 64 << 10;

struct stack {
  std::byte* bottom = nullptr;  // lowest usable byte; the guard lies below
  std::byte* top = nullptr;     // one past the highest usable byte, 64-byte aligned
  std::uint32_t guard_bytes = 0;
  bool guarded = false;  // false: only the canary at the bottom shows an overflow

  // True when `address` lies where only an overflow of this stack would reach.
  bool guard_contains(const void* address) const;
};

// Means to detect an overflow, best first. If the system refuses one, the next is used.
enum class stack_guard : std::uint8_t {
  advised,  // MADV_GUARD_INSTALL (Linux 6.13): any number, no mapping is split
  mapped,   // mprotect: takes two of the vm.max_map_count mappings of the process
  canary,   // a word at the bottom, checked when the task ends
};

// Owns the stacks of one core's workers; used by that core only.
class stack_pool {
 public:
  explicit stack_pool(std::size_t stack_bytes, stack_guard best = stack_guard::advised)
      : stack_bytes_(stack_bytes), best_(best) {}
  stack_pool(const stack_pool&) = delete;
  ~stack_pool();

  // A new stack of the pool's size, or of `bytes` where given. The log says once when stacks begin to come
  // without a guard. Ends the job with no_resource when there is no address space.
  stack make(std::size_t bytes = 0);

  // Ends the job with stack_overflow if the stack has no guard and its canary was overwritten.
  static void check(const stack& s, const char* origin) {
    if (!s.guarded) check_canary(s, origin);
  }
  // Ends the job: the task's frames lie below its stack.
  [[noreturn]] static void fail_for_overflow(const char* origin);

 private:
  struct mapping {
    void* start;
    std::size_t bytes;
  };
  std::byte* map(std::size_t bytes, std::size_t usable_bytes);
  static void check_canary(const stack& s, const char* origin);

  std::size_t stack_bytes_;
  stack_guard best_;
  std::vector<mapping> mappings_;
  std::byte* slab_ = nullptr;  // room for further stacks of the pool's size
  std::size_t slab_left_ = 0;  // how many
  std::size_t made_ = 0;
};

}  // namespace orujo::internal::tasks
