// What can be made of edges as they come in, before a graph is built of them.
#pragma once

#include "framework/graph/build/input.hpp"

namespace orujo::graph {

// Applied in this order.
struct input_changes {
  bool transpose = false;  // every edge reversed
  // Only the vertices of the largest weakly connected component and their edges; of several as large the one
  // with the smallest id. The vertices keep their ids or names.
  bool largest_component = false;

  bool any() const { return transpose || largest_component; }
};

// [task; suspends; collective over the job] To find the component, generated edges are made and kept, and
// every locale takes 16 bytes per vertex of the whole graph for a while.
void change_input(input_edges& input, const input_changes& changes);

// Any thread. The same for edges that one reader has read, in another way: for the serial oracles.
void change_serially(input_edges& input, const input_changes& changes);

}  // namespace orujo::graph
