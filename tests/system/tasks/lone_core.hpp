// A scheduler without messages, for tests of what runs on it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <thread>
#include <utility>
#include <vector>

#include "system/base/call_site.hpp"
#include "system/base/fatal.hpp"
#include "system/base/identity.hpp"
#include "system/tasks/scheduler.hpp"
#include "system/watch/signals.hpp"

namespace orujo::internal::tasks {

// More than vm.max_map_count by default has guard pages of their own mappings for. ThreadSanitizer allows
// only some thousands of stacks in a process.
#if defined(ORUJO_THREAD_SANITIZER)
inline constexpr int many_workers = 200;
#else
inline constexpr int many_workers = 40'000;
#endif

// Runs tasks on the calling thread until none can run. Nothing comes from outside, so a task that is
// suspended then would stay so. No test can hang on it.
class lone_core final : public poller {
 public:
  explicit lone_core(std::uint64_t chaos_seed = 0, std::size_t stack_bytes = 64 << 10,
                     stack_guard guard = stack_guard::advised)
      : scheduler({stack_bytes, chaos_seed, guard}) {}

  template <class F>
  void spawn(F&& f, call_site origin = call_site::current()) {
    scheduler.spawn(task(std::forward<F>(f), origin.function_name()));
  }
  void run() { scheduler.run(*this); }
  // The same after one more spawn.
  template <class F>
  void run(F&& f, call_site origin = call_site::current()) {
    spawn(std::forward<F>(f), origin);
    run();
  }

  bool poll() override {
    ++polls;
    return false;
  }
  bool idle() override {
    if (begun_.empty() && scheduler.has_pausing_tasks()) return false;
    if (begun_.empty()) scheduler.stop();
    scheduler.wake_all(begun_);
    return true;
  }

  // [task] Suspends until all others have begun and can go no further.
  void begin_together() { scheduler.suspend(begun_, "all others to have begun"); }

  tasks::scheduler scheduler;
  std::uint64_t polls = 0;

 private:
  wait_queue begun_;
};

// Runs f as a task named the_culprit() with all handlers installed, as core 1 of locale 3 does.
template <class F>
void run_as_core(F f, stack_guard guard = stack_guard::advised) {
  base::install_fatal_handlers();
  watch::install_signal_handlers();
  std::thread([f, guard] {
    base::set_identity(3, 1);
    watch::signal_stack for_handlers;
    lone_core core(0, 64 << 10, guard);
    core.scheduler.spawn(task(f, "the_culprit()"));
    core.run();
  }).join();
}

// The expected order of tasks.
inline std::vector<int> numbers_below(int n) {
  std::vector<int> all(static_cast<std::size_t>(n));
  std::iota(all.begin(), all.end(), 0);
  return all;
}

}  // namespace orujo::internal::tasks
