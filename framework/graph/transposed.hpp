// A graph whose edges are those of another, reversed: for programs that pull along edges in both directions.
#pragma once

#include "framework/graph/distributed_graph.hpp"

namespace orujo::graph {

// [task; suspends] Of a graph that keeps rows of in-edges and of out-edges. Has the same vertices at the same
// places, so that properties serve both. Its edges are in rows only, which the two share; what is not shared
// takes 4 bytes per vertex and 12 per mirror.
distributed_graph transposed(distributed_graph graph);

}  // namespace orujo::graph
