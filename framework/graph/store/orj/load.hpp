// A graph straight from an .orj file: nothing is shuffled or sorted, and on one locale nothing encoded.
#pragma once

#include <memory>

#include "framework/graph/build/build_options.hpp"
#include "framework/graph/build/input.hpp"
#include "framework/graph/distributed_graph.hpp"

namespace orujo::internal::graph {

// [task; suspends; collective over the job] Null if the file is of another format, or if the options request
// another graph than it holds. Then it is to be read as a list of edges (read_input) and built. Each core
// reads a consecutive part of what options.keep needs, and nothing else. If that is damaged or contradicts
// itself the edges are read from another form of them (read_orj_edges_here), and built.
//
// Fails as the source and build() do. bad_data: no form of the edges is intact, or the offsets of in-edges,
// ids, names or the order of the vertices are damaged. The failure is the same at every core and on any
// process layout.
result<std::shared_ptr<locale_graph>> load_orj(const input_source& source, const build_options& options);

}  // namespace orujo::internal::graph
