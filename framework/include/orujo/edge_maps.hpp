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

using internal::gas::edge_map, internal::gas::edge_map_options, internal::gas::forms_for_maps,
    internal::gas::neighbour_map, internal::gas::neighbours;
// Sets of vertices, and the direction of steps.
using internal::graph::intersect, internal::graph::subtract, internal::graph::unite,
    internal::graph::vertex_set;
using internal::graph::vertex_filter, internal::graph::vertex_map, internal::graph::vertex_reduce;
using internal::steps::direction, internal::steps::direction_options;

// The value of a visitor that shows only which vertex it is.
using internal::graph::source;

// How contributions combine.
using internal::gas::any, internal::gas::bit_or, internal::gas::maximum, internal::gas::minimum,
    internal::gas::sum;

}  // namespace orujo
