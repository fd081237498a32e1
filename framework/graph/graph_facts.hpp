// Facts by which a graph is recognised.
#pragma once

#include <vector>

#include "framework/graph/distributed_graph.hpp"
#include "system/checkpoint/manifest.hpp"

namespace orujo::internal::graph {

// [task; suspends; collective over the job] Facts that identify a graph, for checkpoints: its size, the order
// of its vertices, and a checksum of all vertices and edges. They do not depend on the process layout
// (locales x cores) or on the forms of edges. Costs a pass over the edges. Core 0 gets the facts.
std::vector<checkpoint::fact> graph_facts(const graph::locale_graph& g);
// [task; suspends] As graph_facts above, from one task. Returns nothing without --checkpoint_dir.
std::vector<checkpoint::fact> graph_facts(graph::distributed_graph graph);

}  // namespace orujo::internal::graph
