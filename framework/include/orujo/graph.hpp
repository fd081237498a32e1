// Distributed graphs: loading, looking up single vertices, and values of vertices and edges. Programs over
// them are in <orujo/vertex_programs.hpp> and <orujo/edge_maps.hpp>, algorithms in <orujo/algorithms.hpp>.
#pragma once

// IWYU pragma: begin_exports
#include "framework/gas/load.hpp"
#include "framework/graph/build/edges_in_memory.hpp"
#include "framework/graph/build/load.hpp"
#include "framework/graph/distributed_graph.hpp"
#include "framework/graph/edge_property.hpp"
#include "framework/graph/graph_checkpoints.hpp"
#include "framework/graph/look_up.hpp"
#include "framework/graph/neighbours.hpp"
#include "framework/graph/property.hpp"
#include "framework/graph/transposed.hpp"
#include "framework/graph/vertex.hpp"
#include "framework/results/ordered_values.hpp"
#include "framework/results/read_values.hpp"
#include "framework/results/write_values.hpp"
// IWYU pragma: end_exports

// These are in namespace orujo where they are defined:
//   edge, kept_weight                                    edges between ids, and parallel ones

namespace orujo {

// Loading: as flags or a request say, or from edges in memory.
using internal::gas::build_graph, internal::gas::load_graph, internal::graph::build_graph,
    internal::graph::load_graph;
using internal::gas::forms_for, internal::gas::load_from_flags, internal::graph::edge_forms,
    internal::graph::load_from_flags, internal::graph::loaded_graph;
using internal::graph::distributed_graph, internal::graph::locale_graph, internal::graph::transposed;
using internal::graph::edges_in_memory, internal::graph::graph_request;

// Looking up vertices and edges. forall(graph, body) runs body(const vertex&) where each vertex lives.
using internal::graph::adjacent_vertex, internal::graph::find_vertex, internal::graph::gather_values,
    internal::graph::has_edge, internal::graph::in_neighbours, internal::graph::out_neighbours;

// Values of vertices and edges.
using internal::graph::edge_property, internal::graph::property, internal::graph::vertex;

// Checkpoints of algorithms, and files of results.
using internal::graph::graph_checkpoint_loop, internal::graph::graph_checkpoints,
    internal::graph::graph_facts, internal::graph::program_state;
using internal::results::read_values, internal::results::read_words, internal::results::visit_vertices,
    internal::results::write_values;

}  // namespace orujo
