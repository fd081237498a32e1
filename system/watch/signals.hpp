// Fatal signals end the job with one line that names the task and the cause; SIGUSR1 requests a report of all
// tasks. Signals from outside end the process by their default action, after unfinished output files are
// removed.
#pragma once

namespace orujo::internal::watch {

// Installs the handlers, once per process. Leaves the signals to AddressSanitizer and ThreadSanitizer if
// these are on.
void install_signal_handlers();

// While one exists, MPI is starting: a fault outside of tasks is reported as one in MPI.
class mpi_start {
 public:
  mpi_start();
  ~mpi_start();
  mpi_start(const mpi_start&) = delete;
};

// Gives the calling thread a stack for the handlers, so that they work when a task's stack has overflowed.
class signal_stack {
 public:
  signal_stack();
  ~signal_stack();
  signal_stack(const signal_stack&) = delete;

 private:
  void* memory_;
};

}  // namespace orujo::internal::watch
