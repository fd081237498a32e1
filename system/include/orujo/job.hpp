// A job: its start and end, its cores, flags of your own, and error messages for programs.
#pragma once

// IWYU pragma: begin_exports
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

// Namespace orujo has these where they are defined.
//   run                                                  the job; main() calls it
//   session, job_error                                   the job of a program that has its own main()
//   status, result, exit_status                          what can fail, and how the job ends
//   core_id, my_core, cores, shape, job_shape            the cores of the job
//   locale_id, my_locale, locales, leads_locale          its locales
//   my_locales_cores, my_core_of_locale                  the cores of one
//   flag_rule                                            a condition on a flag of one's own
//   mix64, random_stream                                random numbers that are the same everywhere
//   check, require, call_site                            what must hold; whose mistake it is
