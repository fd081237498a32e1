// Loads a serialized graph of the GAP suite, whose rows are taken as they lie in the file.
#pragma once

#include <memory>

#include "framework/graph/build/build_options.hpp"
#include "framework/graph/build/input.hpp"
#include "framework/graph/distributed_graph.hpp"
#include "system/base/status.hpp"

namespace orujo::internal::graph {

// [task; suspends; collective over the job] The graph of a .sg or .wsg file: each core reads the rows of its
// vertices, and no edge is sent or sorted. Null if the file is of another format, or if its rows cannot be
// used: they do not ascend, or the options request another graph, or something is to be reported. Then it is
// to be read as a list of edges (read_input) and built, which tells what is wrong.
//
// An undirected file must have each edge in both rows, and both halves of a directed file the same edges:
// sums of hashes show it. Fails as the source and assemble() do.
result<std::shared_ptr<locale_graph>> load_gap_rows(const input_source& source, const build_options& options);

}  // namespace orujo::internal::graph
