#include "system/tasks/stack.hpp"

#include <fmt/format.h>
#include <glog/logging.h>
#include <sys/mman.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <fstream>

#include "system/base/fatal.hpp"
#include "system/tasks/context.hpp"

#if defined(ORUJO_ADDRESS_SANITIZER)
#include <sanitizer/asan_interface.h>
#endif

namespace orujo::tasks {
namespace {

constexpr std::size_t page_bytes = 4096;
constexpr std::uint64_t canary = 0x0ddba11c0ffee5a5u;
// Stacks that all ended at the same page offset would share the sets of the first-level cache: with 1,000
// workers a switch took 15 ns instead of 5 (docs/performance.md). So the tops are staggered over one page.
constexpr std::size_t stagger_step = 192, stagger_steps = 21;

// A guard page splits a mapping in two, and a process may have vm.max_map_count of them. Some thousands are
// left to everybody else.
bool may_guard_one_more() {
  static const std::size_t most = [] {
    constexpr std::size_t for_others = 8192, fallback = 65530;
    std::size_t limit = 0;
    std::ifstream("/proc/sys/vm/max_map_count") >> limit;
    return ((limit ? limit : fallback) - std::min(limit, for_others)) / 2;
  }();
  static std::atomic<std::size_t> guards{0};
  return guards.fetch_add(1, std::memory_order_relaxed) < most;
}

}  // namespace

bool stack::guard_contains(const void* address) const {
  const auto* byte = static_cast<const std::byte*>(address);
  return byte < bottom && byte >= bottom - page_bytes;
}

stack_pool::~stack_pool() {
  for (const mapping& m : mappings_) {
#if defined(ORUJO_ADDRESS_SANITIZER)
    // Frames that were never left are still poisoned, and munmap does not tell whoever maps the place next.
    __asan_unpoison_memory_region(m.start, m.bytes);
#endif
    munmap(m.start, m.bytes);
  }
}

stack stack_pool::make(std::size_t bytes) {
  const std::size_t wanted = bytes ? bytes : stack_bytes_;
  const std::size_t mapped = (wanted + page_bytes - 1) / page_bytes * page_bytes + 2 * page_bytes;
  void* start =
      mmap(nullptr, mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (start == MAP_FAILED) {
    fail(exit_status::no_resource,
         fmt::format("no memory for stack {} of {} bytes: use fewer tasks at a time, lower "
                     "--stack_bytes, or raise the system's vm.max_map_count",
                     mappings_.size() + 1, wanted));
  }
  stack made;
  made.bottom = static_cast<std::byte*>(start) + page_bytes;
  made.top = static_cast<std::byte*>(start) + mapped - mappings_.size() % stagger_steps * stagger_step;
  made.guarded = may_guard_one_more() && mprotect(start, page_bytes, PROT_NONE) == 0;
  if (!made.guarded) {
    LOG_FIRST_N(WARNING, 1) << "no more guard pages (vm.max_map_count): further stacks have only a canary";
  }
  std::memcpy(made.bottom, &canary, sizeof(canary));
  mappings_.push_back({start, mapped});
  return made;
}

void stack_pool::check_canary(const stack& s, const char* origin) {
  if (std::memcmp(s.bottom, &canary, sizeof(canary)) == 0) return;
  fail(exit_status::stack_overflow, fmt::format("stack overflow in task {}: raise --stack_bytes", origin));
}

}  // namespace orujo::tasks
