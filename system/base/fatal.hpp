// The end of a job that cannot go on: one line on stderr, then the whole job stops with an exit status.
#pragma once

#include <string_view>

#include "system/base/exit_status.hpp"

namespace orujo {

// Prints "[locale L core C] FATAL: message" (identity.hpp knows who) with one write(2), removes what output
// files have begun (replacement_file.hpp), and ends the job with this status. Callable from any thread, task,
// handler and signal handler; the first caller of a process wins.
[[noreturn]] void fail(exit_status code, std::string_view message);

// What fail() calls last, to take the other processes down too; must not return. Default: _exit.
using abort_hook = void (*)(int status);
void set_abort_hook(abort_hook hook);

// Makes CHECK and LOG(FATAL) of glog end in fail(broken_invariant), std::terminate likewise. Once per
// process.
void install_fatal_handlers();

}  // namespace orujo
