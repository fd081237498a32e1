// graph_tool stats: properties of a graph, and its costs here.
#pragma once

#include "system/base/status.hpp"

namespace orujo::internal::graph_tool {

// [task; suspends] Prints vertices, degrees, packing of vectors, memory and the costs of the partition, for
// the graph of the flags.
status stats();

}  // namespace orujo::internal::graph_tool
