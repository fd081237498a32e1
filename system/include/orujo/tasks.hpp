// Tasks of a core, public tasks, which any core may run, and synchronisation between tasks of one core.
#pragma once

// IWYU pragma: begin_exports
#include "system/delegates/stealing.hpp"
#include "system/tasks/scheduler.hpp"
#include "system/tasks/sync.hpp"
// IWYU pragma: end_exports

namespace orujo {

using delegates::async_spawn_public, delegates::public_tasks;
using tasks::spawn, tasks::yield;

// Between tasks of one core.
using tasks::condition_variable, tasks::full_empty, tasks::join_counter, tasks::mutex, tasks::semaphore;

}  // namespace orujo
