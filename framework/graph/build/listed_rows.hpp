// Loads the graph of edges that were read row by row.
#pragma once

#include <memory>

#include "framework/graph/build/build_options.hpp"
#include "framework/graph/build/input.hpp"
#include "framework/graph/distributed_graph.hpp"
#include "system/base/status.hpp"

namespace orujo::internal::graph {

// [task; suspends; collective over the job] The graph of input.rows, if these can be taken as they are
// (given_rows.hpp). Each core copies the rows of its vertices, and most lie in its own list. Null, with the
// input as it was, if they are of no use; it is then to be built of edges. A directed graph has rows of one
// direction only, and is always built.
result<std::shared_ptr<locale_graph>> load_listed_rows(input_edges& input, const build_options& options);

}  // namespace orujo::internal::graph
