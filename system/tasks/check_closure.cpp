#include "system/tasks/check_closure.hpp"

#include <fmt/format.h>

#include <atomic>
#include <cstdint>
#include <cstring>

#include "system/base/check.hpp"
#include "system/tasks/scheduler.hpp"

namespace orujo::internal::tasks {
namespace {
std::atomic<closure_checks> checked{closure_checks::of_debug_sources};
}

void check_closures(closure_checks wanted) { checked.store(wanted, std::memory_order_relaxed); }
closure_checks wanted_closure_checks() { return checked.load(std::memory_order_relaxed); }

namespace detail {

void find_references(const void* closure, std::size_t bytes, const call_site& at) {
  const scheduler* const here = scheduler::here_if_any();
  const worker* const w = here ? here->current() : nullptr;
  if (!w) return;
  const auto* const first = static_cast<const std::byte*>(closure);
  // The task's variables lie above those of this function. Old values that lie below it are left by returned
  // calls.
  const auto bottom = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
  const auto top = reinterpret_cast<std::uintptr_t>(w->stack.top);
  for (std::size_t offset = 0; offset + sizeof(std::uintptr_t) <= bytes; offset += sizeof(std::uintptr_t)) {
    std::uintptr_t word;
    std::memcpy(&word, first + offset, sizeof(word));
    if (word < bottom || word >= top) continue;
    base::misuse(fmt::format("a closure that travels captures a reference, or a pointer, to a variable of "
                             "the task that sends it (at byte {} of its {}), where other processes have "
                             "something else: capture values, or the variable's global_address(my_core(), "
                             "&variable). If only the sender uses it, pass --nocheck_closures",
                             offset, bytes),
                 at);
  }
}

}  // namespace detail
}  // namespace orujo::internal::tasks
