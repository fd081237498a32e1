// The end of a job that cannot go on: one line on stderr, then the whole job stops with an exit status.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

#include "system/base/exit_status.hpp"
#include "system/base/status.hpp"

namespace orujo::base {

// Prints "[locale L core C] FATAL: message" (identity.hpp knows who) with one write(2), removes what output
// files have begun (replacement_file.hpp), and ends the job with this status. Callable from any thread, task,
// handler and signal handler; the first caller of a process wins.
[[noreturn]] void fail(exit_status code, std::string_view message);

// Returns whether fail() is ending this process.
bool is_failing();

}  // namespace orujo::base

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

namespace orujo::base {

// While it lives, fail() on its thread throws job_error and ends nothing: while a job is set up that may be
// given up.
class failures_are_thrown {
 public:
  explicit failures_are_thrown(bool wanted = true);
  ~failures_are_thrown();
  failures_are_thrown(const failures_are_thrown&) = delete;

 private:
  const bool before_;
};

// What fail() calls last, to take the other processes down too; must not return. Default: _exit.
using abort_hook = void (*)(int status);
void set_abort_hook(abort_hook hook);

// For std::set_terminate. Fails with the exception that nobody caught; for want of memory with no_resource.
[[noreturn]] void fail_on_terminate();

// Makes CHECK and LOG(FATAL) of glog end in fail(broken_invariant), std::terminate likewise. Once per
// process.
void install_fatal_handlers();

}  // namespace orujo::base
