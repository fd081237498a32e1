// The rows that triangles are counted in: of every vertex of a locale the neighbours before it, in the order
// of degree or, where that does not pay, of numbers.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "framework/graph/distributed_graph.hpp"
#include "system/machine/huge_array.hpp"

namespace orujo::algorithms::detail {

// A locale's, shared by its cores. Vertices go by rank: their places among the locale's local indices,
// mirrors too, in an order that all locales agree on. It is that of numbers, and the rows are the graph's
// own, if the job has one locale and a sample says that another does not pay. Otherwise vertices of high
// degrees come first, and of those with about the same degree (within 1/8) the lower number: so a row has no
// more than about sqrt(2 * edges) members. That costs 12 bytes per local index and 4 per undirected edge;
// with several locales 16 more per mirror, and 8 per own vertex.
class triangle_rows {
 public:
  // directed: rows are of the neighbours by edges of either direction, and in the order of degree.
  explicit triangle_rows(const graph::locale_graph& g, bool directed = false);

  // [task; suspends; collective over the job] Chooses the order and makes the rows; all have them afterwards.
  void make();

  // Where not, a vertex's rank is its number, and its row has all its neighbours, ascending.
  bool by_degree() const { return by_degree_; }
  std::uint32_t ranks() const { return ranks_; }
  std::uint32_t rank_of(std::uint32_t local) const { return by_degree_ ? rank_of_[local] : local; }

  // The row of the vertex of a rank; those of mirrors are empty.
  std::span<const std::uint32_t> of(std::uint32_t rank) const {
    return {members_ + offsets_[rank], members_ + offsets_[rank + 1]};
  }
  // Of a directed graph, parallel: whether the vertex and a member have edges of both directions. And how
  // many neighbours an own vertex has, but for itself.
  std::span<const std::uint8_t> both_of(std::uint32_t rank) const {
    return {own_both_.data() + offsets_[rank], own_both_.data() + offsets_[rank + 1]};
  }
  std::uint32_t neighbours_of(std::uint32_t own_vertex) const { return neighbours_[own_vertex]; }
  // Its members before the vertex itself.
  std::span<const std::uint32_t> before(std::uint32_t rank) const;
  // Of all rows together; and the ranks whose rows begin at members [first, last).
  std::uint64_t members() const { return offsets_[ranks_]; }
  std::pair<std::uint32_t, std::uint32_t> rows_between(std::uint64_t first, std::uint64_t last) const;

  // With several locales: whose a vertex is, its number, and the rank of a number, or ranks() where that is
  // neither an own vertex nor a mirror.
  locale_id locale_of(std::uint32_t rank) const;
  std::uint64_t number_of(std::uint32_t rank) const { return graph_.number_of(local_of_[rank]); }
  std::uint32_t find(std::uint64_t number) const;

 private:
  bool degree_order_pays() const;
  std::uint64_t tests_by_degree(std::uint32_t from, std::uint32_t to, std::uint64_t random) const;
  std::uint32_t local_at(std::uint32_t place) const;
  void share_degrees();
  void rank();
  void place_rows();
  void fill_rows();
  struct neighbour {
    std::uint32_t local;
    bool both;
  };
  void find_neighbours(std::uint32_t v, std::vector<neighbour>& to) const;
  std::uint64_t size_row(std::uint32_t v, std::vector<neighbour>& scratch);
  void fill_directed_rows();

  const graph::locale_graph& graph_;
  const bool directed_;
  const std::uint32_t ranks_;
  bool by_degree_ = false;
  const std::uint64_t* offsets_ = nullptr;  // by rank, of either kind of rows
  const std::uint32_t* members_ = nullptr;

  machine::huge_array<std::uint32_t> mirrors_degrees_;  // by local index, with several locales
  std::span<const std::uint32_t> degrees_;              // by local index
  machine::huge_array<std::uint32_t> rank_of_;          // by local index
  machine::huge_array<std::uint32_t> local_of_;         // by rank, with several locales
  machine::huge_array<std::uint64_t> own_offsets_;
  machine::huge_array<std::uint32_t> own_members_;
  machine::huge_array<std::uint8_t> own_both_;     // of a directed graph, parallel to the members,
  machine::huge_array<std::uint32_t> neighbours_;  // and by own vertex
  std::vector<std::uint32_t> mirrors_of_;          // by locale: its first mirror here, and the end
  unsigned bucket_bits_ = 0;            // mirrors are looked up by buckets of 2^bucket_bits_ numbers
  std::vector<std::uint32_t> buckets_;  // the first mirror in each, and the end
};

}  // namespace orujo::algorithms::detail
