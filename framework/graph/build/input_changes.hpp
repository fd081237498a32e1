// Changes of the input's edges, before a graph is built of them.
#pragma once

#include "framework/graph/build/input.hpp"

namespace orujo::internal::graph {

// Applied in this order.
struct input_changes {
  bool transpose = false;  // every edge reversed
  // Only the vertices of the largest weakly connected component and their edges; of several as large the one
  // with the smallest id. The vertices keep their ids or names.
  bool largest_component = false;

  bool any() const { return transpose || largest_component; }
};

// [task; suspends; collective over the job] To find the component, generated edges are computed and kept, and
// every locale temporarily takes 16 bytes per vertex of the whole graph.
void change_input(input_edges& input, const input_changes& changes);

// Any thread. The same for edges that one reader has read, in another way: for the serial oracles.
void change_serially(input_edges& input, const input_changes& changes);

}  // namespace orujo::internal::graph
