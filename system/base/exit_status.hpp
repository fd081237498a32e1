// The exit statuses of a rank and of `bin/orujo run` (sysexits.h where it has a word for it).
#pragma once

namespace orujo {

// How a process of a job ends, and `bin/orujo run` with it: what the main task's status says, or what ended
// the job. docs/reference/exit_statuses.md has an example of each and what to do.
enum class exit_status : int {
  ok = 0,                 // done, verified if asked
  failed = 1,             // done, but a verification or a test failed
  usage = 2,              // unknown or invalid flag
  bad_data = 65,          // the input's content is wrong
  no_input = 66,          // the input cannot be opened
  broken_invariant = 70,  // a bug of ours
  no_resource = 71,       // out of memory, shared memory, stacks, ...
  stack_overflow = 72,    // in a task
  fatal_signal = 73,      // any other fatal signal
  io_error = 74,          // reading or writing failed while running
  hung = 75,              // the watchdog found the job hung
  peer_lost = 76,         // a peer was lost or stalled
  bad_checkpoint = 77,    // a checkpoint cannot be used
  misuse = 78,            // the program calls the library as it must not
};

}  // namespace orujo
