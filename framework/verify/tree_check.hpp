// Checks the tree of a search that lies distributed over the job, without bringing it to one place: the five
// rules of the Graph500 benchmark ("Validation" in its specification).
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <string>

#include "framework/formats/edge.hpp"
#include "system/containers/global_array.hpp"

namespace orujo::internal::verify {

// The result of a search at a vertex, which it may not have reached.
struct tree_place {
  std::int64_t parent = -1;  // vertex number; the root's is itself; -1: not reached
  // The length of the path from the root along the tree, rounded after every edge. Without weights it is the
  // level.
  float distance = std::numeric_limits<float>::infinity();
  std::uint32_t has_edge_to_parent = 0;  // check_tree's own
};
using tree_places = containers::global_array<tree_place>;  // by vertex number

// Kinds of faults, in the order of the checks.
enum class tree_fault {
  none,
  root,       // it is not its own parent at distance 0
  parent,     // a vertex has a distance and no parent, the reverse, or a parent that is not reached
  order,      // a parent is not nearer to the root than its child: a cycle, or a second root
  component,  // an edge joins a vertex that is reached and one that is not
  span,       // an edge joins vertices whose distances differ by more than its weight
  edge,       // no edge of the right length joins a vertex and its parent
};

// The same at every core.
struct tree_verdict {
  std::uint64_t faults = 0;
  // One of them: the first in the order of tree_fault, of the smallest vertex, then of the smallest other.
  tree_fault first = tree_fault::none;
  std::uint64_t vertex = 0;
  std::uint64_t other = 0;  // its parent, or the edge's other end

  std::string describe() const;
};

// Visits some of the edges at a time. weights: parallel to them, or empty if each is 1.
using edge_visitor = std::function<void(std::span<const edge>, std::span<const float>)>;

// [task; suspends; collective over the job] The graph is undirected. The edges of all cores together are the
// graph: in any direction, maybe repeated, with numbers of vertices as ends. visit_my_edges calls the visitor
// with those of the calling core; the visitor suspends. Costs two reads of 16 bytes for every edge and one
// for every vertex, by gathers of 2^15 at most, and their memory. If the verdict has no faults, the tree
// reaches the component of the root and nothing else. If no weight is negative, the distances are then the
// least.
tree_verdict check_tree(tree_places tree, std::uint64_t root,
                        const std::function<void(const edge_visitor&)>& visit_my_edges);

}  // namespace orujo::internal::verify
