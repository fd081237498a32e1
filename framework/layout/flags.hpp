// The order of vertices that the command line asks for: --layout and the like.
#pragma once

#include "framework/graph/build/load.hpp"
#include "framework/layout/order_vertices.hpp"

namespace orujo::layout {

// Of the flags.
order_request request_from_flags();

// [task; suspends; collective over the job] order_vertices() by the flags.
result<graph::vertex_order> order_by_flags(const graph::input_edges& input, const graph::vertex_ids& ids,
                                           const graph::build_options& options);

// [task; suspends] graph::load_from_flags() with the vertices in that order.
result<graph::loaded_graph> load_from_flags(const graph::edge_forms& keep = {});

}  // namespace orujo::layout
