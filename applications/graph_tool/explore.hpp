// graph_tool explore: what the readers make of a file, by its start, and the command that loads it so.
#pragma once

#include "system/base/status.hpp"

namespace orujo::internal::graph_tool {

// [any thread] Reads the first MiB of --graph's file as the other programs would with these flags. Where they
// refuse it, tries --names, the first two columns as ends, and --ignore_weights. Fails as the readers of its
// format do if nothing of that helps.
status explore();

}  // namespace orujo::internal::graph_tool
