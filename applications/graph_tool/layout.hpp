// graph_tool layout: what orders of the vertices cost, and how near they bring neighbours.
#pragma once

#include "system/base/status.hpp"

namespace orujo::graph_tool {

// [task; suspends] Prints both for the order that --layout names, or for all where it is none, of the graph
// that the flags name.
status layout();

}  // namespace orujo::graph_tool
