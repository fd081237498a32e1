// A line with the progress of calls, which a function of Python shows, such as one for notebooks.
//
// All are called with the interpreter's lock.
#pragma once

#include <nanobind/nanobind.h>

namespace orujo::internal::python {

// function: called with the line each time that it changes, and with "" at the end of the call. None: the
// line is written to stderr if that is a terminal.
void show_progress_by(const nanobind::object& function);

// Passes the line on, at most a few times a second. Returns false if the function has thrown, and leaves its
// exception to the caller.
bool show_progress();

// Erases the line if one is shown. An exception that is set stays.
void clear_progress();

}  // namespace orujo::internal::python
