// The two timed kernels of the Graph500 benchmark over Orujo's algorithms.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "framework/exchange/bit_message.hpp"
#include "framework/graph/distributed_graph.hpp"
#include "framework/grid/grid_graph.hpp"
#include "framework/verify/tree_check.hpp"

namespace orujo::internal::graph500 {

// A part of the time of a search, over the cores.
struct part_seconds {
  std::string name;
  double mean = 0, most = 0;
};

// The figures of a search at core 0.
struct search_figures {
  double seconds = 0;  // with the writing of the parents' ids
  // All searches have the same names.
  std::vector<part_seconds> parts;
  std::vector<std::pair<std::string, exchange::byte_counts>> bytes;  // that all locales sent
};

// Searches on one graph, one after the other; made, used and destroyed by tasks of core 0.
class kernel {
 public:
  virtual ~kernel() = default;
  // [task; suspends] Searches from the vertex of this id. Leaves every vertex's parent, by its id, at the
  // vertex.
  virtual search_figures run(std::uint64_t root) = 0;
  // [task; suspends] Writes the places, by ids, of the vertices that the last search reached. Other places
  // stay as they are.
  virtual void write(verify::tree_places tree) = 0;
  // [task; suspends] Samples roots as draw_roots() of tuples.hpp does.
  virtual std::vector<std::uint64_t> roots(std::size_t count, std::uint64_t seed) const = 0;
};

// Breadth-first search. The parents are found, and written as ids, within the time; levels follow from the
// order in which they are found.
graph::edge_forms bfs_forms();
std::unique_ptr<kernel> make_bfs(graph::distributed_graph graph);
std::unique_ptr<kernel> make_grid_bfs(graph::grid_graph graph);

// Shortest paths, and a tree of them, within the time.
graph::edge_forms sssp_forms();
std::unique_ptr<kernel> make_sssp(graph::distributed_graph graph);

}  // namespace orujo::internal::graph500
