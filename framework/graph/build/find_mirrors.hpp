// Which vertices of others a locale mirrors.
#pragma once

#include <initializer_list>

#include "framework/graph/build/rows.hpp"
#include "framework/graph/distributed_graph.hpp"
#include "system/base/status.hpp"

namespace orujo::internal::graph {

// [task; suspends; collective over the job] Replaces the neighbours in all of a core's rows, which are
// numbers of vertices, by local indices. The mirrors of all rows of the locale are in the graph then. Fails
// if there are too many local indices.
status find_mirrors(locale_graph& g, std::initializer_list<rows*> of_core);

}  // namespace orujo::internal::graph
