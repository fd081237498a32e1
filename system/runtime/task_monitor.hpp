// SIGUSR1: every core prints where its tasks are, and the monitor where those cores are that do not answer.
#pragma once

#include <atomic>
#include <chrono>
#include <thread>

namespace orujo::runtime {

// From then on SIGUSR1 to the process asks for the reports.
void install_report_handler();

// A thread that sleeps until somebody asks. A core that has not reported after `patience` is in a computation
// without yield, or in a message handler: the monitor interrupts it to see where, and prints that.
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

}  // namespace orujo::runtime
