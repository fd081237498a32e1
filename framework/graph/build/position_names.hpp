// Turns names of vertices, as they are read, into positions.
#pragma once

#include <memory>

#include "framework/formats/edge.hpp"
#include "framework/formats/names.hpp"
#include "framework/graph/build/input.hpp"
#include "framework/graph/vertex_names.hpp"

namespace orujo::internal::graph {

// [task; suspends; collective over the job] Replaces the vertices of each core's edges, which are indices
// into its own table of distinct names, by positions among the names of all cores.
std::shared_ptr<const vertex_names> position_names(formats::edge_list& mine,
                                                   const formats::name_table& names);

// Makes these the names of the input's vertices.
void set_names(input_edges& input, std::shared_ptr<const vertex_names> names);

// Any thread. Like position_names(), for one reader that has all edges and names.
void position_names_serially(formats::edge_list& all, const formats::name_table& names);

}  // namespace orujo::internal::graph
