// A graph whose edges are those of another, reversed: for programs that pull along edges in both directions.
#pragma once

#include "framework/graph/distributed_graph.hpp"

namespace orujo::internal::graph {

// [task; suspends] The transpose of a graph that keeps rows of in-edges and of out-edges. It has the same
// vertices, with the same numbers, so properties belong to both. It has rows of edges only, which the two
// share. Beside them it takes 4 bytes per vertex and 12 per mirror.
distributed_graph transposed(distributed_graph graph);

}  // namespace orujo::internal::graph
