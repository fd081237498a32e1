// Loads the graph that the command line requests, with its vertices in the requested order.
#pragma once

#include "framework/graph/build/load.hpp"

namespace orujo::internal::layout {

// [task; suspends] `graph::load_from_flags()` with the vertices in the order of --layout.
result<graph::loaded_graph> load_from_flags(const graph::edge_forms& keep = {});

}  // namespace orujo::internal::layout
