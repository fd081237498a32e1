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

namespace orujo::internal::tasks {
namespace {

constexpr std::size_t page_bytes = 4096;
constexpr std::uint64_t canary = 0x0ddba11c0ffee5a5u;
// Tops of stacks are staggered over one page. Stacks that all ended at the same page offset would share the
// sets of the first-level cache. A switch between 1,000 workers would then take 29 ns instead of 9 (medians
// of 5, in turn; docs/design/decisions.md).
constexpr std::size_t stagger_step = 192, stagger_steps = 21;

// Stacks of the pool's size are cut from mappings of about this size.
constexpr std::size_t slab_bytes = 8 << 20;

std::size_t rounded_to_pages(std::size_t bytes) { return (bytes + page_bytes - 1) / page_bytes * page_bytes; }

constexpr int install_guard = 102;  // MADV_GUARD_INSTALL, which Debian 12's headers do not have

bool advice_is_taken() {
  static const bool taken = [] {
    void* page = mmap(nullptr, page_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (page == MAP_FAILED) return false;
    const bool works = madvise(page, page_bytes, install_guard) == 0;
    munmap(page, page_bytes);
    return works;
  }();
  return taken;
}

// A protected page splits a mapping in two, and a process may have vm.max_map_count mappings. Some thousands
// are left to all other code.
bool may_protect_one_more() {
  static const std::size_t most = [] {
    constexpr std::size_t for_others = 8192, fallback = 65530;
    std::size_t limit = 0;
    std::ifstream("/proc/sys/vm/max_map_count") >> limit;
    return ((limit ? limit : fallback) - std::min(limit, for_others)) / 2;
  }();
  static std::atomic<std::size_t> guards{0};
  return guards.fetch_add(1, std::memory_order_relaxed) < most;
}

bool guard(void* first, std::size_t bytes, stack_guard best) {
  if (best == stack_guard::advised && advice_is_taken() && madvise(first, bytes, install_guard) == 0) {
    return true;
  }
  return best != stack_guard::canary && may_protect_one_more() && mprotect(first, bytes, PROT_NONE) == 0;
}

}  // namespace

bool stack::guard_contains(const void* address) const {
  const auto* byte = static_cast<const std::byte*>(address);
  return byte < bottom && byte >= bottom - guard_bytes;
}

stack_pool::~stack_pool() {
  for (const mapping& m : mappings_) {
#if defined(ORUJO_ADDRESS_SANITIZER)
    // Unfinished frames stay poisoned, and munmap does not clear that for the next mapping of the addresses.
    __asan_unpoison_memory_region(m.start, m.bytes);
#endif
    munmap(m.start, m.bytes);
  }
}

std::byte* stack_pool::map(std::size_t bytes, std::size_t usable_bytes) {
  void* start =
      mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (start == MAP_FAILED) {
    base::fail(exit_status::no_resource,
               fmt::format("no memory for stack {} of {} bytes: use fewer tasks at a time, "
                           "lower --stack_bytes, or raise the system's vm.max_map_count",
                           made_ + 1, usable_bytes));
  }
  // Without this a system with huge pages always on would take 2 MiB per stack.
  madvise(start, bytes, MADV_NOHUGEPAGE);
  mappings_.push_back({start, bytes});
  return static_cast<std::byte*>(start);
}

stack stack_pool::make(std::size_t bytes) {
  const std::size_t wanted = bytes ? bytes : stack_bytes_;
  const std::size_t guard_bytes = std::clamp(rounded_to_pages(wanted / 2), page_bytes, most_guard_bytes);
  const std::size_t room = guard_bytes + rounded_to_pages(wanted) + page_bytes;  // one to stagger in
  std::byte* start;
  if (bytes) {
    start = map(room, wanted);
  } else {
    if (slab_left_ == 0) {
      slab_left_ = std::max<std::size_t>(1, slab_bytes / room);
      slab_ = map(slab_left_ * room, wanted);
    }
    start = slab_ + --slab_left_ * room;
  }
  stack made;
  made.bottom = start + guard_bytes;
  made.guard_bytes = static_cast<std::uint32_t>(guard_bytes);
  made.top = start + room - made_++ % stagger_steps * stagger_step;
  made.guarded = guard(start, guard_bytes, best_);
  if (!made.guarded) {
    if (best_ != stack_guard::canary) {
      LOG_FIRST_N(WARNING, 1) << "no more guards (vm.max_map_count): further stacks have only a canary";
    }
    std::memcpy(made.bottom, &canary, sizeof(canary));
  }
  return made;
}

void stack_pool::check_canary(const stack& s, const char* origin) {
  if (std::memcmp(s.bottom, &canary, sizeof(canary)) == 0) return;
  fail_for_overflow(origin);
}

void stack_pool::fail_for_overflow(const char* origin) {
  base::fail(exit_status::stack_overflow,
             fmt::format("stack overflow in task {}: raise --stack_bytes", origin));
}

}  // namespace orujo::internal::tasks
