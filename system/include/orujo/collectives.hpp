// Collective operations: one task on every core of a group calls them, all in the same order.
// Example: docs/tutorial/hello.cpp
#pragma once

// IWYU pragma: begin_exports
#include "system/loops/collectives.hpp"
#include "system/loops/exchange_by.hpp"
// IWYU pragma: end_exports

namespace orujo {

using loops::all_gather, loops::all_reduce, loops::all_to_all, loops::broadcast, loops::gather, loops::reduce;
using loops::barrier, loops::group;
using loops::exchange_by;
using loops::exclusive_scan, loops::exclusive_sum, loops::inclusive_scan;
using loops::first_failure, loops::share_on_locale;

}  // namespace orujo
