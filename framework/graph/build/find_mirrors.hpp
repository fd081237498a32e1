// Which vertices of others a locale mirrors.
#pragma once

#include "framework/graph/build/rows.hpp"
#include "framework/graph/distributed_graph.hpp"
#include "system/base/status.hpp"

namespace orujo::graph {

// [task; suspends; collective over the job] Of a core's rows, whose neighbours are numbers of vertices, and
// are local indices from then on; the mirrors of all cores' rows of the locale are in the graph. Fails where
// local indices do not suffice.
status find_mirrors(locale_graph& g, rows& in, rows& out);

}  // namespace orujo::graph
