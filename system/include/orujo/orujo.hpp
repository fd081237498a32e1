// All of the runtime. The graph framework has <orujo/graph.hpp> and the headers that it names.
//
// A program includes this or the parts that it uses, and finds every name directly in namespace orujo. Nested
// namespaces (orujo::base, orujo::delegates, ...) belong to the library, except orujo::algorithms.
//
// Words of the reference:
//   - A closure or value can travel if it is trivially copyable and of at most 4 KiB. A closure then captures
//     numbers, handles and global addresses, and no strings, vectors, pointers or references.
//   - A handle is a small value that names an object spread over the cores. Copies of it name the same one,
//     which lives until destroy().
//   - A message handler is code that runs at a core between tasks. It must not suspend.
//   - An operation named async_ returns at once. It takes a completion_event, and is complete when
//     completion_event::wait() returns; or it returns a future.
//   - A misuse is a call against the contract. It ends the job with status 78 and names the caller's line.
// Example: docs/tutorial/hello.cpp
#pragma once

// IWYU pragma: begin_exports
#include "orujo/checkpoint.hpp"
#include "orujo/collectives.hpp"
#include "orujo/containers.hpp"
#include "orujo/delegates.hpp"
#include "orujo/job.hpp"
#include "orujo/loops.hpp"
#include "orujo/memory.hpp"
#include "orujo/observe.hpp"
#include "orujo/tasks.hpp"
// IWYU pragma: end_exports
