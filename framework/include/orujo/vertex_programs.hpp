// Vertex programs: Gather-Apply-Scatter, written from the view of one vertex.
// Example: docs/tutorial/hops.cpp
// Example: docs/tutorial/routes.cpp
// Example: docs/tutorial/communities.cpp
#pragma once

// IWYU pragma: begin_exports
#include "framework/gas/program.hpp"
#include "framework/gas/run.hpp"
#include "framework/gas/run_options.hpp"
#include "framework/graph/program_state.hpp"
#include "framework/steps/direction.hpp"
#include "framework/vectors/combine.hpp"
#include "orujo/graph.hpp"
// IWYU pragma: end_exports

namespace orujo {

using gas::run, gas::run_options, gas::run_report;
// Options.
using gas::going_ahead, steps::direction, steps::direction_options;

// How contributions combine.
using gas::any, gas::bit_or, gas::maximum, gas::minimum, gas::sum;
// For gather() and collect().
using gas::max, gas::min, gas::select;
using gas::neighbours, gas::nothing;
// The value of a search that needs to know only which in-neighbour has reached a vertex.
using graph::source;

}  // namespace orujo
