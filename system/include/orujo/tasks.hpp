// Tasks of a core, public tasks, which any core may run, and synchronisation between tasks of one core.
#pragma once

// IWYU pragma: begin_exports
#include "system/delegates/stealing.hpp"
#include "system/tasks/scheduler.hpp"
#include "system/tasks/sync.hpp"
// IWYU pragma: end_exports

namespace orujo {

using internal::delegates::async_spawn_public, internal::delegates::public_tasks;
using internal::tasks::spawn, internal::tasks::yield;

// Between tasks of one core.
using internal::tasks::condition_variable, internal::tasks::full_empty, internal::tasks::join_counter,
    internal::tasks::mutex, internal::tasks::semaphore;

}  // namespace orujo
