// Parallel loops over the job, over a locale and on one core, and their schedules.
// Example: docs/tutorial/triangle.cpp
#pragma once

// IWYU pragma: begin_exports
#include "system/loops/forall.hpp"
#include "system/loops/schedule.hpp"
#include "system/loops/schedule_flags.hpp"
// IWYU pragma: end_exports

namespace orujo {

// On all cores: over a range of numbers or a container.
using loops::async_forall, loops::distributed, loops::forall, loops::loop_options;
using loops::on_all_cores, loops::on_locale;

// On this core.
using loops::forall_here;

// Shared by the cores of a locale, with a schedule.
using loops::chunk, loops::collective_forall, loops::even_chunks, loops::forall_on_locale, loops::inspected,
    loops::schedule, loops::schedule_from_flags, loops::schedule_kind, loops::shared_loop,
    loops::user_options;

}  // namespace orujo
