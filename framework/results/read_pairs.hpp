// Reads pairs of a graph's vertices from a file.
#pragma once

#include <string>

#include "framework/graph/distributed_graph.hpp"
#include "framework/graph/valued_edge.hpp"
#include "system/base/status.hpp"
#include "system/containers/global_array.hpp"

namespace orujo::internal::results {

// [task at core 0; suspends] The pairs of a file, in its order, by position. The file is that of a graph in
// any format (formats/file_format.hpp), recognised by its path and content, and a pair is one of its edges.
// Ends are ids, or names if the graph has names; weights are skipped. All cores read a part of a plain file.
//
// Ids that differ from positions take 8 bytes per vertex, spread over the cores, and a message of 32 bytes
// each way for each end. A name takes log2(vertices) messages for each different one, many names at a time.
//
// Fails as reading a graph does. Fails with bad_data if an end is no vertex of the graph. The caller destroys
// the pairs.
result<containers::global_array<graph::vertex_pair>> read_pairs(graph::distributed_graph graph,
                                                                const std::string& path);

}  // namespace orujo::internal::results
