#include "system/watch/memory_guard.hpp"

#include <fmt/format.h>
#include <sched.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <limits>

#include "system/base/fatal.hpp"
#include "system/base/sanitizers.hpp"
#include "system/machine/available_memory.hpp"
#include "system/memory/budget.hpp"

namespace orujo::internal::watch {
namespace {

using std::chrono::milliseconds;

constexpr std::uint64_t mib = std::uint64_t{1} << 20;
constexpr std::uint64_t least_budget = 64 * mib;
constexpr std::uint64_t no_budget = std::numeric_limits<std::uint64_t>::max();
// The kernel's own reserve, and the growth of other processes between two checks.
constexpr std::uint64_t reserve = 4 * mib;
constexpr std::uint64_t little = mib / 2;
// Fresh pages are zeroed at some 2 GB/s on one thread, with huge pages at 8.
constexpr std::uint64_t most_bytes_per_ms = 8 * mib;
constexpr milliseconds shortest(1), longest(500);

// Bytes of this process alone, without mapped files and shared memory.
std::uint64_t private_bytes() {
  std::ifstream in("/proc/self/statm");
  std::uint64_t size = 0, resident = 0, shared = 0;
  in >> size >> resident >> shared;
  return (resident - std::min(resident, shared)) * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

// On busy CPUs the guard would otherwise check only after memory has run out. The system may refuse.
void outrank_other_threads() {
  sched_param least{};
  least.sched_priority = sched_get_priority_min(SCHED_RR);
  if (sched_setscheduler(0, SCHED_RR | SCHED_RESET_ON_FORK, &least) != 0)
    setpriority(PRIO_PROCESS, static_cast<id_t>(gettid()), -20);
}

std::uint64_t watched_budget(int locales_of_process) {
  const std::uint64_t given = memory::given_budget();
  if (given < least_budget) return no_budget;
  return memory::bytes_of(given, static_cast<std::uint64_t>(locales_of_process));
}

}  // namespace

bool memory_pace::runs_out(std::uint64_t left, std::uint64_t taken) {
  grown_ = looked_ && taken > taken_ ? taken - taken_ : 0;
  const std::uint64_t by_all = looked_ && left < left_ ? left_ - left : 0;
  looked_ = true;
  left_ = left;
  taken_ = taken;
  return grown_ >= little && left < reserve + 2 * std::max(grown_, by_all);
}

milliseconds memory_pace::until_next_look(std::uint64_t left, int threads) {
  const std::uint64_t pace = most_bytes_per_ms * static_cast<std::uint64_t>(std::max(threads, 1));
  return std::clamp(milliseconds(left / (2 * pace)), shortest, longest);
}

memory_guard::memory_guard([[maybe_unused]] locale_id me, int locales_of_process)
    : budget_(watched_budget(locales_of_process)),
      at_first_(private_bytes()),
      threads_(static_cast<int>(std::thread::hardware_concurrency())) {
#if !defined(ORUJO_ADDRESS_SANITIZER) && !defined(ORUJO_THREAD_SANITIZER)
  thread_.emplace(me, milliseconds(0), [this] { return check(); });
#endif
}

std::uint64_t memory_guard::left(std::uint64_t taken) const {
  const std::uint64_t of_machine = machine::available_memory();
  if (budget_ == no_budget) return of_machine;
  return std::min(of_machine, budget_ - std::min(budget_, taken - std::min(taken, at_first_)));
}

milliseconds memory_guard::check() {
  if (!std::exchange(outranks_, true)) outrank_other_threads();
  const std::uint64_t taken = private_bytes(), rest = left(taken);
  if (pace_.runs_out(rest, taken))
    base::fail(exit_status::no_resource,
               fmt::format(
                   "memory runs out: {} MiB are left, and this process has {} and takes more, {} since the "
                   "last check: use a smaller problem, more nodes, or raise the limit of memory ({})",
                   rest / mib, taken / mib, pace_.grown() / mib,
                   budget_ == no_budget ? "its control group's, or its machine's" : "--memory_budget_bytes"));
  return memory_pace::until_next_look(rest, threads_);
}

}  // namespace orujo::internal::watch
