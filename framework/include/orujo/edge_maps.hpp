// Sets of vertices, and functions along the edges from them and over their members, as in Ligra.
// Example: docs/tutorial/independent.cpp
#pragma once

// IWYU pragma: begin_exports
#include "framework/gas/edge_map.hpp"
#include "framework/gas/neighbour_map.hpp"
#include "framework/gas/visitor.hpp"
#include "framework/graph/vertex_map.hpp"
#include "framework/graph/vertex_set.hpp"
#include "framework/steps/direction.hpp"
#include "framework/vectors/combine.hpp"
#include "orujo/graph.hpp"
// IWYU pragma: end_exports

namespace orujo {

using gas::edge_map, gas::edge_map_options, gas::forms_for_maps, gas::neighbour_map, gas::neighbours;
// Sets of vertices, and the direction of steps.
using graph::intersect, graph::subtract, graph::unite, graph::vertex_set;
using graph::vertex_filter, graph::vertex_map, graph::vertex_reduce;
using steps::direction, steps::direction_options;

// The value of a visitor that shows only which vertex it is.
using graph::source;

// How contributions combine.
using gas::any, gas::bit_or, gas::maximum, gas::minimum, gas::sum;

}  // namespace orujo
