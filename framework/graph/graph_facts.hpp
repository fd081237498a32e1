// Facts by which a graph is recognised.
#pragma once

#include <vector>

#include "framework/graph/distributed_graph.hpp"
#include "system/checkpoint/manifest.hpp"

namespace orujo::graph {

// [task; suspends; collective over the job] The size, the order of the vertices, and a sum over all vertices
// and edges. The sum does not depend on the process layout or on the forms of edges. Takes a pass over the
// edges. Only core 0 gets the facts.
std::vector<checkpoint::fact> graph_facts(const graph::locale_graph& g);
// [task; suspends] The same, from one task; nothing where no checkpoints are wanted.
std::vector<checkpoint::fact> graph_facts(graph::distributed_graph graph);

}  // namespace orujo::graph
