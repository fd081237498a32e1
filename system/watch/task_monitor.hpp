// SIGUSR1: every core prints a report of its tasks. The monitor prints the positions of cores that do not
// answer.
#pragma once

#include <atomic>
#include <chrono>
#include <thread>

namespace orujo::internal::watch {

// After this call SIGUSR1 to the process requests the reports.
void install_report_handler();
// [any thread or signal handler] Does what SIGUSR1 does.
void ask_for_reports();

// A thread that sleeps until a report is requested. A core that has not reported after `patience` is in a
// computation without yield, or in a message handler. The monitor interrupts it and prints its position.
class task_monitor {
 public:
  explicit task_monitor(std::chrono::milliseconds patience = std::chrono::seconds(1));
  ~task_monitor();
  task_monitor(const task_monitor&) = delete;

 private:
  void watch();
  void wait_for_reports() const;

  const std::chrono::milliseconds patience_;
  std::atomic<bool> ending_{false};
  std::thread thread_;
};

}  // namespace orujo::internal::watch
