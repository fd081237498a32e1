// A job with one bug, in tasks, for the tests that each sanitizer finds it.
#include <gflags/gflags.h>

#include <atomic>
#include <climits>
#include <cstdio>
#include <string>
#include <thread>

#include "system/collectives/collectives.hpp"
#include "system/loops/forall.hpp"
#include "system/runtime/runtime.hpp"

DEFINE_string(bug, "none", "overrun, stack_overrun, use_after_free, leak, overflow, race or none");

namespace {

volatile int sink;
volatile int shared_by_cores = 0;

[[gnu::noinline]] void overrun(volatile int* values, int count) { sink = values[count]; }
[[gnu::noinline]] int sum(int a, int b) { return a + b; }

// All cores are here at once, without an order that the sanitizer could take for synchronisation.
void meet() {
  static std::atomic<int> arrived = 0;
  arrived.fetch_add(1, std::memory_order_relaxed);
  while (arrived.load(std::memory_order_relaxed) < orujo::cores()) std::this_thread::yield();
}

// In a task of its own, which has waited in between: its stack is one of the runtime's.
void run_bug() {
  orujo::internal::collectives::barrier();
  if (FLAGS_bug == "overrun") {
    int* const values = new int[4]{};
    overrun(values, 4);
    delete[] values;
  } else if (FLAGS_bug == "stack_overrun") {
    volatile int values[4] = {};
    overrun(values, 4);
  } else if (FLAGS_bug == "use_after_free") {
    volatile int* const value = new int(1);
    delete value;
    sink = *value;
  } else if (FLAGS_bug == "leak") {
    sink = *new int(sink);
  } else if (FLAGS_bug == "overflow") {
    sink = sum(INT_MAX, orujo::my_core() + 1);
  } else if (FLAGS_bug == "race") {
    meet();
    // Often: of two accesses at one instant neither may see the other.
    for (int k = 0; k < 10'000; ++k) shared_by_cores = shared_by_cores + 1;
  }
  orujo::internal::collectives::barrier();
}

}  // namespace

int main(int argc, char** argv) {
  return orujo::run(argc, argv, "a job with a bug, for the sanitizers", [] {
    orujo::internal::loops::on_all_cores([] { run_bug(); });
    std::puts("the job ended well");
    return orujo::status();
  });
}
