// graph_tool stats: what a graph is like, and what it costs here.
#pragma once

#include "system/base/status.hpp"

namespace orujo::graph_tool {

// [task; suspends] Prints vertices, degrees, packing of vectors, memory and what the partition costs of the
// graph that the flags name.
status stats();

}  // namespace orujo::graph_tool
