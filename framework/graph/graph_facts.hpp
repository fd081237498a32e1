// What a graph is known again by.
#pragma once

#include <vector>

#include "framework/graph/distributed_graph.hpp"
#include "system/checkpoint/manifest.hpp"

namespace orujo::graph {

// [task; suspends; collective over the job] Its size, the order of its vertices, and a sum over all its
// vertices and edges, in which the split does not show, nor in which forms the graph keeps its edges. A pass
// over the edges. What is told is core 0's.
std::vector<checkpoint::fact> graph_facts(const graph::locale_graph& g);
// [task; suspends] The same, from one task; nothing where no checkpoints are wanted.
std::vector<checkpoint::fact> graph_facts(graph::distributed_graph graph);

}  // namespace orujo::graph
