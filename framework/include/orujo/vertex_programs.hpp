// Vertex programs: Gather-Apply-Scatter, written from the view of one vertex.
// Example: docs/tutorial/hops.cpp
// Example: docs/tutorial/routes.cpp
// Example: docs/tutorial/communities.cpp
#pragma once

// IWYU pragma: begin_exports
#include "framework/gas/most_frequent.hpp"
#include "framework/gas/program.hpp"
#include "framework/gas/run.hpp"
#include "framework/gas/run_options.hpp"
#include "framework/graph/program_state.hpp"
#include "framework/steps/direction.hpp"
#include "framework/vectors/combine.hpp"
#include "orujo/graph.hpp"
// IWYU pragma: end_exports

namespace orujo {

using internal::gas::run, internal::gas::run_options, internal::gas::run_report;
// Options.
using internal::gas::going_ahead, internal::steps::direction, internal::steps::direction_options;

// How contributions combine.
using internal::gas::any, internal::gas::bit_or, internal::gas::maximum, internal::gas::minimum,
    internal::gas::sum;
// For gather() and collect().
using internal::gas::heaviest, internal::gas::most_frequent, internal::gas::neighbours,
    internal::gas::nothing;
using internal::gas::max, internal::gas::min, internal::gas::select;
// The value of a search that needs to know only which in-neighbour has reached a vertex.
using internal::graph::source;

}  // namespace orujo
