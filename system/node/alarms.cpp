#include "system/node/alarms.hpp"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

namespace orujo::internal::node {
namespace {

// FUTEX_PRIVATE_FLAG is left out, because other processes wake cores, too.
long futex(std::atomic<std::uint32_t>& word, int operation, std::uint32_t value, const timespec* most) {
  return syscall(SYS_futex, &word, operation, value, most, nullptr, 0);
}

}  // namespace

// Returns false if the core is awake, or somebody else has woken it.
bool alarms::wake(int core) const {
  if (asleep(core).exchange(0, std::memory_order_seq_cst) == 0) return false;
  futex(asleep(core), FUTEX_WAKE, 1, nullptr);
  return true;
}

void alarms::wake_one() const {
  for (int core = 0; core < cores_; ++core) {
    if (asleep(core).load(std::memory_order_seq_cst) != 0 && wake(core)) return;
  }
}

void alarms::ring_one_after_stores() const {
  if (!memory_) return;
  std::atomic_thread_fence(std::memory_order_seq_cst);
  ring_one();
}

// A signal or the wake-up of an earlier sleep makes it return early.
void alarms::wait(int core, std::chrono::nanoseconds most) const {
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(most);
  const timespec time{seconds.count(), (most - seconds).count()};
  futex(asleep(core), FUTEX_WAIT, 1, &time);
}

}  // namespace orujo::internal::node
