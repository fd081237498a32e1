// The end of a job that cannot go on: one line on stderr, then the whole job stops with an exit status.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

#include "system/base/exit_status.hpp"
#include "system/base/status.hpp"

namespace orujo::internal::base {

// Prints "[locale L core C] FATAL: message" (identity.hpp) with one write(2), removes unfinished output files
// (replacement_file.hpp), and ends the job with this status. Any thread, task, handler and signal handler may
// call it; the first caller of a process wins.
[[noreturn]] void fail(exit_status code, std::string_view message);

// Returns whether fail() is ending this process.
bool is_failing();

}  // namespace orujo::internal::base

namespace orujo {

// A failed status as an exception, which a session throws. what() is the status' message.
class job_error : public std::runtime_error {
 public:
  explicit job_error(const status& why) : std::runtime_error(why.message()), code_(why.code()) {}
  exit_status code() const { return code_; }

 private:
  exit_status code_;
};

}  // namespace orujo

namespace orujo::internal::base {

// While it lives, fail() on its thread throws job_error and ends nothing. A job that is being set up can so
// be given up.
class failures_are_thrown {
 public:
  explicit failures_are_thrown(bool wanted = true);
  ~failures_are_thrown();
  failures_are_thrown(const failures_are_thrown&) = delete;

 private:
  const bool before_;
};

// fail() calls the hook once it has written its line, also in a signal handler, to remove what no other
// process may find. Default: nothing.
using clean_up_hook = void (*)();
void set_clean_up_hook(clean_up_hook hook);

// fail() calls the hook last, to end the other processes, too. The hook must not return. Default: _exit.
using abort_hook = void (*)(int status);
void set_abort_hook(abort_hook hook);

// For std::set_terminate. Fails with the uncaught exception's message; std::bad_alloc ends with no_resource.
[[noreturn]] void fail_on_terminate();

// Routes glog's CHECK and LOG(FATAL), and std::terminate, to fail(broken_invariant). Once per process.
void install_fatal_handlers();

}  // namespace orujo::internal::base
