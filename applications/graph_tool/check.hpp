// graph_tool check: the format of a file, and whether its content is valid.
#pragma once

#include "system/base/status.hpp"

namespace orujo::internal::graph_tool {

// [task; suspends] Reads the file of --graph from its start to its end. Fails as the readers of its format
// do; an .orj file is checked completely (graph/store/orj/check.hpp).
status check();

}  // namespace orujo::internal::graph_tool
