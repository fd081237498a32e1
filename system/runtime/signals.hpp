// Fatal signals end the job with one line that says what happened in which task; SIGUSR1 asks where all tasks
// are. Signals from outside end the process as ever, without what output files have begun.
#pragma once

namespace orujo::runtime {

// Installs the handlers, once per process. Leaves the signals to AddressSanitizer and ThreadSanitizer where
// they are on.
void install_signal_handlers();

// Gives the calling thread a stack for the handlers, so that they work when a task's stack has overflowed.
class signal_stack {
 public:
  signal_stack();
  ~signal_stack();
  signal_stack(const signal_stack&) = delete;

 private:
  void* memory_;
};

}  // namespace orujo::runtime
