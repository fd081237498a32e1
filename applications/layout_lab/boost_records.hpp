// A graph of the Boost Graph Library, searched by that library's own algorithms, in any layout.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "applications/layout_lab/linked_graph.hpp"

namespace orujo::internal::layout_lab {

// An adjacency_list whose vertices hold the notes of a search. Every edge is there in both directions, with a
// weight.
class boost_records {
 public:
  // Like linked_graph, but an adjacency_list always has weights, and takes its memory where the library does.
  boost_records(const layout::undirected_graph& g, const layout::vertex_sequence& order, bool weighted,
                machine::pages pages);
  ~boost_records();
  // Copies the records by `layout::lay_out()`, in blocks of a vertex's part of the list. Doubles the memory
  // meanwhile. Returns the seconds that it took.
  double copy(std::span<const std::size_t> block_bytes, machine::pages pages);

  // From vertex 0.
  linked_graph::outcome breadth_first();
  linked_graph::outcome shortest_paths();

 private:
  struct graph;
  linked_graph::outcome told(double seconds) const;

  std::unique_ptr<graph> graph_;
};

}  // namespace orujo::internal::layout_lab
