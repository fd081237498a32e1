// graph_tool convert: a graph from a file or a generator to a file of any format.
#pragma once

#include "system/base/status.hpp"

namespace orujo::internal::graph_tool {

// [task; suspends] Writes the graph that the flags name, as an application would load it, to --output.
status convert();

}  // namespace orujo::internal::graph_tool
