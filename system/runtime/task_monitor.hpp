// SIGUSR1: every core prints where its tasks are, and the monitor where those cores are that do not answer.
#pragma once

#include <signal.h>

#include <atomic>
#include <chrono>
#include <thread>

namespace orujo::runtime {

// From then on SIGUSR1 to the process asks for the reports.
void install_report_handler();
// [any thread or signal handler] What SIGUSR1 does.
void ask_for_reports();

// A thread that takes no signals: those are for the cores.
template <class F>
std::thread thread_without_signals(const F& body) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  std::thread made(body);
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return made;
}

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
