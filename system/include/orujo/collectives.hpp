// Collective operations: one task on every core of a group calls them, all in the same order.
// Example: docs/tutorial/hello.cpp
#pragma once

// IWYU pragma: begin_exports
#include "system/collectives/collectives.hpp"
#include "system/collectives/exchange_by.hpp"
// IWYU pragma: end_exports

namespace orujo {

using collectives::all_gather, collectives::all_reduce, collectives::all_to_all, collectives::broadcast,
    collectives::gather, collectives::reduce;
using collectives::barrier, collectives::group;
using collectives::exchange_by;
using collectives::exclusive_scan, collectives::exclusive_sum, collectives::inclusive_scan;
using collectives::first_failure, collectives::share_on_locale;

}  // namespace orujo
