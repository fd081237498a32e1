// graph_tool layout: the cost of orders of the vertices, and the distance of neighbours in them.
#pragma once

#include "system/base/status.hpp"

namespace orujo::internal::graph_tool {

// [task; suspends] Prints both for the order of --layout, or for all orders if it is auto, for the graph of
// the flags.
status layout();

}  // namespace orujo::internal::graph_tool
