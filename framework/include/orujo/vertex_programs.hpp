// Vertex programs: what one vertex does (framework/gas/program.hpp says how they are written).
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
// Values of the options: the way along edges, and when a locale goes ahead of others.
using gas::going_ahead, steps::direction, steps::direction_options;

// How contributions meet.
using gas::any, gas::bit_or, gas::maximum, gas::minimum, gas::sum;
// What a gather may use.
using gas::max, gas::min, gas::select;
using gas::neighbours, gas::nothing;
// Which in-neighbour has reached a vertex.
using graph::source;

}  // namespace orujo
