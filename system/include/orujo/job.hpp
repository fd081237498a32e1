// A job: its start and end, its cores and locales, flags of a program, and how failures are reported.
// Example: docs/tutorial/hello.cpp
// Example: docs/tutorial/embedded.cpp
#pragma once

// IWYU pragma: begin_exports
#include "system/base/by_core.hpp"
#include "system/base/call_site.hpp"
#include "system/base/check.hpp"
#include "system/base/exit_status.hpp"
#include "system/base/flags.hpp"
#include "system/base/identity.hpp"
#include "system/base/random.hpp"
#include "system/base/shape.hpp"
#include "system/base/status.hpp"
#include "system/runtime/runtime.hpp"
#include "system/runtime/session.hpp"
// IWYU pragma: end_exports

// These are in namespace orujo where they are defined:
//   run                                                  the job of a program
//   session, job_error                                   the job of a program with a main() of its own
//   status, result, exit_status                          failures, and how the job ends
//   core_id, my_core, cores, shape, job_shape            the cores of the job
//   locale_id, my_locale, locales, leads_locale          the locales of the job
//   my_locales_cores, my_core_of_locale                  the cores of a locale
//   by_core, by_locale                                   an element for each
//   index_range, part_of                                 consecutive indices, and a part of them
//   my_part_of_job, my_part_of_locale                    this core's part
//   flag_rule                                            conditions on flags of a program
//   mix64, random_stream                                 random numbers, the same on any number of cores
//   check, require, call_site                            conditions that must hold
