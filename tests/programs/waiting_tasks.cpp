// A job for the tests of reports and debuggers. On every core three tasks wait without end. So does the main
// task, which waits for a collective if there are several cores. One core may compute endlessly. It reports
// when all do so, and ends by a signal.
#include <gflags/gflags.h>

#include <cstdio>

#include "system/collectives/collectives.hpp"
#include "system/delegates/delegate.hpp"
#include "system/loops/forall.hpp"
#include "system/runtime/runtime.hpp"

DEFINE_int32(computing_core, -1, "the core on which a task computes for ever, without yielding");

namespace {

volatile bool for_ever = true;
volatile unsigned long work_done = 0;

[[gnu::noinline]] void compute_without_end() {
  while (for_ever) work_done = work_done + 1;
}

[[gnu::noinline]] void wait_for_the_other(orujo::internal::tasks::full_empty<int>& mine,
                                          orujo::internal::tasks::full_empty<int>& other) {
  mine.write_full(other.take_when_full());
}

// Two tasks that wait for each other, and one that waits for a mutex that nobody gives back.
void deadlock_here() {
  auto* words = new orujo::internal::tasks::full_empty<int>[2];
  auto* door = new orujo::internal::tasks::mutex;
  door->lock();
  orujo::internal::tasks::spawn([=] { wait_for_the_other(words[0], words[1]); });
  orujo::internal::tasks::spawn([=] { wait_for_the_other(words[1], words[0]); });
  orujo::internal::tasks::spawn([=] { door->lock(); });
}

orujo::status wait_for_ever() {
  orujo::internal::loops::on_all_cores([] { deadlock_here(); });
  orujo::internal::loops::on_all_cores([] { orujo::internal::tasks::yield(); });
  if (FLAGS_computing_core >= 0) {
    orujo::internal::messages::messenger::here().send(FLAGS_computing_core, [] {
      orujo::internal::tasks::spawn([] {
        std::puts("computing");
        std::fflush(stdout);
        compute_without_end();
      });
    });
    orujo::internal::messages::messenger::here().flush_all();
  } else {
    std::puts("waiting");
    std::fflush(stdout);
  }
  if (orujo::cores() > 1) orujo::internal::collectives::barrier();
  orujo::internal::tasks::full_empty<int> never;
  return never.read_when_full() ? orujo::status() : orujo::status();
}

}  // namespace

int main(int argc, char** argv) {
  return orujo::run(argc, argv, "waits for ever, for tests", &wait_for_ever);
}
