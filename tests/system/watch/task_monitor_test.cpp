// SIGUSR1 to one process. tests/bin/task_report_test.sh tests a whole job under the launcher.
#include "system/watch/task_monitor.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <cstdlib>
#include <string>
#include <thread>

#include "system/base/sanitizers.hpp"
#include "tests/system/tasks/lone_core.hpp"

namespace orujo::internal::watch {
namespace {

using tasks::run_as_core;
using tasks::scheduler;

// Yields until the core has answered, then ends the process, whose stderr is looked at.
void end_when_reported() {
  while (!scheduler::here()->has_reported()) tasks::yield();
  std::_Exit(0);
}

TEST(report_signal, makes_a_core_print_its_tasks) {
  const auto ask = [] {
    raise(SIGUSR1);
    end_when_reported();
  };
  EXPECT_EXIT(run_as_core(ask), testing::ExitedWithCode(0),
              "^\\[locale 3 core 1\\] 1 task begun, 0 not begun\n"
              "\\[locale 3 core 1\\]   1 x the_culprit\\(\\) waits for its turn\n");
}

// From here on ends this process when its stderr says `text`.
void exit_when_printed(const std::string& text) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  const int real = dup(STDERR_FILENO);
  dup2(ends[1], STDERR_FILENO);
  std::thread([=, from = ends[0]] {
    std::string printed;
    char bytes[4096];
    while (printed.find(text) == std::string::npos) {
      const ssize_t count = read(from, bytes, sizeof(bytes));
      printed.append(bytes, count > 0 ? static_cast<std::size_t>(count) : 0);
    }
    [[maybe_unused]] const ssize_t written = write(real, printed.data(), printed.size());
    std::_Exit(0);
  }).detach();
}

volatile bool for_ever = true;
[[gnu::noinline]] void compute_without_end() {
  while (for_ever) continue;
}

TEST(report_signal, names_a_task_that_does_not_yield) {
#if defined(ORUJO_THREAD_SANITIZER)
  GTEST_SKIP() << "ThreadSanitizer delivers no signals to a loop without calls";
#endif
  const auto run = [] {
    exit_when_printed("compute_without_end");
    const task_monitor monitor(std::chrono::milliseconds(1));
    run_as_core([] {
      raise(SIGUSR1);
      compute_without_end();
    });
  };
  EXPECT_EXIT(run(), testing::ExitedWithCode(0),
              "\\[locale 3 core 1\\] running the_culprit\\(\\), has not yielded\n"
              "(.*\n)*.*compute_without_end");
}

TEST(report_signal, without_any_core_does_nothing) {
  const auto ask = [] {
    install_report_handler();
    const task_monitor monitor(std::chrono::milliseconds(1));
    raise(SIGUSR1);
  };
  EXPECT_EXIT((ask(), std::_Exit(0)), testing::ExitedWithCode(0), "^$");
}

}  // namespace
}  // namespace orujo::internal::watch
