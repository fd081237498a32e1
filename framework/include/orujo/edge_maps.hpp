// Sets of vertices, and what goes along the edges from them (framework/gas/visitor.hpp says how visitors are
// written).
#pragma once

// IWYU pragma: begin_exports
#include "framework/gas/edge_map.hpp"
#include "framework/gas/visitor.hpp"
#include "framework/graph/vertex_map.hpp"
#include "framework/graph/vertex_set.hpp"
#include "framework/steps/direction.hpp"
#include "framework/vectors/combine.hpp"
#include "orujo/graph.hpp"
// IWYU pragma: end_exports

namespace orujo {

using gas::edge_map, gas::edge_map_options, gas::forms_for_maps;
// The way along edges.
using graph::intersect, graph::subtract, graph::unite, graph::vertex_set;
using graph::vertex_filter, graph::vertex_map, graph::vertex_reduce;
using steps::direction, steps::direction_options;

// What a member shows that shows which vertex it is.
using graph::source;

// How what is shown meets.
using gas::any, gas::bit_or, gas::maximum, gas::minimum, gas::sum;

}  // namespace orujo
