// Memory that runs out at a chosen moment. This program has an operator new and a malloc of its own, which
// count the allocations of the calling thread, and refuse a chosen one.
#pragma once

namespace orujo::internal::allocations {

// The allocations that count: those of operator new, or also those of C libraries by malloc and the like. The
// sanitizers have a malloc of their own, so with them only operator new counts.
enum class asking { by_new, any };

// Watches the calling thread's allocations while it lives.
class watch {
 public:
  // Refuses allocation k, from 1 on, or none for 0.
  explicit watch(asking counted, long refused = 0);
  ~watch();
  watch(const watch&) = delete;

  long asked() const;
  // Number of allocations that the thread has not freed; it may free nothing older. 0 under the sanitizers,
  // which look for leaks themselves.
  long kept() const;
};

}  // namespace orujo::internal::allocations
