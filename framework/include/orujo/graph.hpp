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
using gas::build_graph, gas::load_graph, graph::build_graph, graph::load_graph;
using gas::forms_for, gas::load_from_flags, graph::edge_forms, graph::load_from_flags, graph::loaded_graph;
using graph::distributed_graph, graph::locale_graph, graph::transposed;
using graph::edges_in_memory, graph::graph_request;

// Looking up vertices and edges. forall(graph, body) runs body(const vertex&) where each vertex lives.
using graph::adjacent_vertex, graph::find_vertex, graph::gather_values, graph::has_edge, graph::in_neighbours,
    graph::out_neighbours;

// Values of vertices and edges.
using graph::edge_property, graph::property, graph::vertex;

// Checkpoints of algorithms, and files of results.
using graph::graph_checkpoint_loop, graph::graph_checkpoints, graph::graph_facts, graph::program_state;
using results::read_values, results::read_words, results::visit_vertices, results::write_values;

}  // namespace orujo
