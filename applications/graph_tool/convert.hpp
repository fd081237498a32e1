// graph_tool convert: a graph as a file of another format.
#pragma once

#include "system/base/status.hpp"

namespace orujo::graph_tool {

// [task; suspends] Writes the graph that the flags name to --output, whose name ends in .orj.
status convert();

}  // namespace orujo::graph_tool
