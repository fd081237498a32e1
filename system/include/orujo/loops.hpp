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
using internal::loops::async_forall, internal::loops::distributed, internal::loops::forall,
    internal::loops::loop_options;
using internal::loops::on_all_cores, internal::loops::on_locale;

// On this core.
using internal::loops::forall_here;

// Shared by the cores of a locale, with a schedule.
using internal::loops::chunk, internal::loops::collective_forall, internal::loops::even_chunks,
    internal::loops::forall_on_locale, internal::loops::inspected, internal::loops::schedule,
    internal::loops::schedule_from_flags, internal::loops::schedule_kind, internal::loops::shared_loop,
    internal::loops::user_options;

}  // namespace orujo
