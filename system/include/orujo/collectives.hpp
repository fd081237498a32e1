// Collective operations: one task on every core of a group calls them, all in the same order.
// Example: docs/tutorial/hello.cpp
#pragma once

// IWYU pragma: begin_exports
#include "system/collectives/collectives.hpp"
#include "system/collectives/exchange_by.hpp"
// IWYU pragma: end_exports

namespace orujo {

using internal::collectives::all_gather, internal::collectives::all_reduce, internal::collectives::all_to_all,
    internal::collectives::broadcast, internal::collectives::gather, internal::collectives::reduce;
using internal::collectives::barrier, internal::collectives::group;
using internal::collectives::exchange_by;
using internal::collectives::exclusive_scan, internal::collectives::exclusive_sum,
    internal::collectives::inclusive_scan;
using internal::collectives::first_failure, internal::collectives::share_on_locale;

}  // namespace orujo
