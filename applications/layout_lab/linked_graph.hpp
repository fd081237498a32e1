// A graph as records that point to each other, each followed by its neighbours, in any layout.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "framework/layout/orders.hpp"
#include "framework/layout/undirected_graph.hpp"
#include "system/machine/huge_array.hpp"

namespace orujo::internal::layout_lab {

// A record has 24 bytes, then `degree` pointers to neighbours and, in a weighted graph, as many weights of 4
// bytes, padded to 8.
struct vertex_record {
  vertex_record* parent = nullptr;  // of a search
  std::uint32_t distance = 0;
  std::uint32_t name = 0;  // the vertex's number in the source graph
  std::uint32_t degree = 0;
  std::uint32_t weighted = 0;

  vertex_record** neighbours() { return reinterpret_cast<vertex_record**>(this + 1); }
  std::span<vertex_record* const> neighbours() const {
    return {reinterpret_cast<vertex_record* const*>(this + 1), degree};
  }
  std::uint32_t* weights() { return reinterpret_cast<std::uint32_t*>(neighbours() + degree); }
  static std::size_t bytes(std::uint64_t degree, bool weighted) {
    return sizeof(vertex_record) + 8 * degree + (weighted ? (4 * degree + 7) / 8 * 8 : 0);
  }
};

class linked_graph {
 public:
  // `order` is that of the records in memory. Weights are those of weight_of().
  linked_graph(const layout::undirected_graph& g, const layout::vertex_sequence& order, bool weighted,
               machine::pages pages);
  // Hierarchical blocking: copies the records, from vertex 0 on. Doubles the memory meanwhile; returns the
  // seconds that it took.
  double copy(std::span<const std::size_t> block_bytes, machine::pages pages);

  // The result of the search, which begins at vertex 0.
  struct outcome {
    std::uint64_t reached = 0;
    std::uint64_t checksum = 0;  // of the names and distances; does not depend on the layout
    double seconds = 0;          // of the search alone
  };
  // Breadth first; distances are levels.
  outcome breadth_first();
  // Dijkstra's algorithm with a bucket for each distance that can occur at a time (Dial, CACM 12, 1969).
  outcome shortest_paths();

  static constexpr std::uint32_t most_weight = 255;
  // The weight of the edge between two vertices, from 1 to most_weight.
  static std::uint32_t weight_of(std::uint64_t a, std::uint64_t b);

  // By vertex, of the last search; ~0 if it has not reached the vertex.
  std::vector<std::uint32_t> distances() const;
  // The vertices in memory's order.
  layout::vertex_sequence order() const;

 private:
  template <class Visit>
  void for_each(Visit visit) const;
  void reset();
  void search_breadth_first();
  void search_by_distance();
  template <class Search>
  outcome timed(Search search);

  machine::huge_array<std::uint64_t> memory_;
  vertex_record* first_ = nullptr;  // vertex 0
  std::vector<vertex_record*> queue_;
};

}  // namespace orujo::internal::layout_lab
