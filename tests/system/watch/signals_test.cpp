// How a job ends when something goes wrong in a task: fatal signals, and what ends the same way.
#include "system/watch/signals.hpp"

#include <fcntl.h>
#include <glog/logging.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <thread>

#include "system/base/sanitizers.hpp"
#include "system/runtime/runtime.hpp"
#include "tests/system/tasks/lone_core.hpp"

namespace orujo::internal::watch {
namespace {

using tasks::run_as_core;
using tasks::scheduler;

TEST(task_death, ends_the_job_when_a_check_fails_in_a_task) {
  EXPECT_EXIT(run_as_core([] { CHECK(1 > 2) << "of all things"; }), testing::ExitedWithCode(70),
              "\\[locale 3 core 1\\] FATAL: .*of all things");
}

TEST(task_death, ends_the_job_when_an_exception_leaves_a_task) {
  EXPECT_EXIT(
      run_as_core([] { throw std::runtime_error("the reason"); }), testing::ExitedWithCode(70),
      testing::Eq(
          "[locale 3 core 1] FATAL: uncaught exception: the reason (in the task begun by the_culprit())\n"));
}

// Signals are left to the sanitizers, which report them in their own way.
class signal_death : public testing::Test {
#if defined(ORUJO_ADDRESS_SANITIZER) || defined(ORUJO_THREAD_SANITIZER)
  void SetUp() override { GTEST_SKIP() << "the sanitizer handles the signal"; }
#endif
};

// Endless as far as the compiler can know.
int recurse(volatile int& depth) {
  volatile char frame[1000];
  frame[0] = 1;
  depth = depth + 1;
  return depth == 0 ? 0 : recurse(depth) + frame[0];
}

TEST_F(signal_death, names_the_task_whose_stack_overflows) {
  const auto overflow = [] {
    volatile int depth = 0;
    recurse(depth);
  };
  for (const auto guard : {tasks::stack_guard::advised, tasks::stack_guard::mapped}) {
    EXPECT_EXIT(
        run_as_core(overflow, guard), testing::ExitedWithCode(72),
        testing::Eq("[locale 3 core 1] FATAL: stack overflow in task the_culprit(): raise --stack_bytes\n"));
  }
}

TEST_F(signal_death, names_the_task_whose_one_large_frame_overflows) {
  // -fstack-clash-protection touches every page of a frame, so it cannot jump over the guard.
  const auto overflow = [] {
    volatile char frame[300 << 10];
    frame[0] = 1;
    EXPECT_EQ(frame[0], 1);
  };
  EXPECT_EXIT(run_as_core(overflow), testing::ExitedWithCode(72), "stack overflow in task the_culprit\\(\\)");
}

TEST(task_death, names_the_task_that_reached_the_canary) {
  const auto overwrite = [] { *scheduler::here()->current()->stack.bottom = std::byte{0}; };
  EXPECT_EXIT(
      run_as_core(overwrite, tasks::stack_guard::canary), testing::ExitedWithCode(72),
      testing::Eq("[locale 3 core 1] FATAL: stack overflow in task the_culprit(): raise --stack_bytes\n"));
}

// Where a task of a job of several locales touches what is not its process's.
void end_by_a_wild_address(tasks::closure_checks checks) {
  base::install_fatal_handlers();
  install_signal_handlers();
  runtime::job_options options;
  options.cores = 1;
  options.check_closures = checks;
  runtime::run_loopback(2, options, [] {
    volatile int* volatile null = nullptr;
    *null = 1;
    return status();
  });
}

TEST_F(signal_death, reminds_of_references_in_closures_unless_they_are_looked_for) {
  EXPECT_EXIT(
      end_by_a_wild_address(tasks::closure_checks::of_debug_sources), testing::ExitedWithCode(73),
      "signal 11 .*in main \\(did a closure capture a reference\\? --check_closures finds out\\); its code: "
      "addr2line -Cfpie PROGRAM 0x[0-9a-f]+");
  EXPECT_EXIT(end_by_a_wild_address(tasks::closure_checks::all), testing::ExitedWithCode(73),
              "signal 11 .*in main; its code: addr2line -Cfpie PROGRAM 0x[0-9a-f]+");
}

TEST_F(signal_death, names_the_task_of_another_fatal_signal) {
  const auto dereference = [] {
    volatile int* volatile null = nullptr;
    *null = 1;
  };
  EXPECT_EXIT(run_as_core(dereference), testing::ExitedWithCode(73),
              "^\\[locale 3 core 1\\] FATAL: signal 11 \\(Segmentation fault\\) at address (0x0|\\(nil\\)) "
              "in the_culprit");
}

TEST_F(signal_death, names_mpi_while_it_starts) {
  const auto fault = [] {
    install_signal_handlers();
    const mpi_start starting;
    volatile int* volatile null = nullptr;
    *null = 1;
  };
  EXPECT_EXIT(
      fault(), testing::ExitedWithCode(73),
      "FATAL: signal 11 .*while MPI started: the fault is in MPI or in its launcher; run the job again\n$");
}

TEST_F(signal_death, tells_a_stack_that_overflows_outside_of_tasks) {
  const auto overflow = [] {
    install_signal_handlers();
    std::thread([] {
      signal_stack for_handlers;
      volatile int depth = 0;
      recurse(depth);
    }).join();
  };
  EXPECT_EXIT(overflow(), testing::ExitedWithCode(72),
              "FATAL: stack overflow outside of tasks: raise ulimit -s");
}

TEST_F(signal_death, names_who_has_sent_it) {
  EXPECT_EXIT(run_as_core([] { raise(SIGBUS); }), testing::ExitedWithCode(73),
              "FATAL: signal 7 \\(Bus error\\) sent by process [0-9]+ in the_culprit\\(\\)");
}

// Where a file system is full, the kernel has no page for memory that lies there; as beyond a file's end.
TEST_F(signal_death, names_shared_memory_that_there_is_no_room_for) {
  const std::string path = testing::TempDir() + "no_room_" + std::to_string(getpid());
  const int file = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  ASSERT_GE(file, 0);
  for (const int kind : {MAP_SHARED, MAP_PRIVATE}) {
    void* const made = mmap(nullptr, 4096, PROT_READ | PROT_WRITE, kind, file, 0);
    ASSERT_NE(made, MAP_FAILED);
    const auto touch = [made] { *static_cast<volatile char*>(made) = 1; };
    if (kind == MAP_SHARED) {
      EXPECT_EXIT(run_as_core(touch), testing::ExitedWithCode(71),
                  "FATAL: no room for memory that processes share, in .*no_room_.*: make room");
    } else {
      EXPECT_EXIT(run_as_core(touch), testing::ExitedWithCode(73), "FATAL: signal 7 .Bus error. at address");
    }
    munmap(made, 4096);
  }
  close(file);
  unlink(path.c_str());
}

TEST(signals, of_the_user_do_not_end_the_job) {
  const auto survive = [] {
    raise(SIGUSR1);
    std::_Exit(0);
  };
  EXPECT_EXIT(run_as_core(survive), testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace orujo::internal::watch
