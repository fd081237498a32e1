// Tasks of a core, those that any core may take, and what tasks of one core wait for.
#pragma once

// IWYU pragma: begin_exports
#include "system/delegates/stealing.hpp"
#include "system/tasks/scheduler.hpp"
#include "system/tasks/sync.hpp"
// IWYU pragma: end_exports

namespace orujo {

using delegates::async_spawn_public, delegates::public_tasks, delegates::steal_scope;
using tasks::spawn, tasks::yield;

// Between tasks of one core.
using tasks::condition_variable, tasks::full_empty, tasks::join_counter, tasks::mutex, tasks::semaphore;

}  // namespace orujo
