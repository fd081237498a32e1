// The rows in which triangles are counted. A vertex of a locale has a row of the neighbours before it, in the
// order of degree or, if that does not pay, of numbers.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "framework/algorithms/degree_ranks.hpp"
#include "framework/graph/distributed_graph.hpp"
#include "system/machine/huge_array.hpp"

namespace orujo::internal::algorithms::detail {

// The order of rows: by degree, by number on the only locale, or by number on one of several. By number, the
// memory of a row has all neighbours of the vertex, in the order of numbers.
enum class row_order { degree, number, number_on_several };

// A row's vertices. `own` are vertices of this locale, which have rows here. `mirrors` are grouped by their
// locale. The two are contiguous in memory, in either order.
struct triangle_row {
  std::span<const std::uint32_t> all, own, mirrors;
};

// A locale's rows, shared by its cores. Vertices are identified by rank.
//
// In the order of degree (degree_ranks.hpp), the rank is the position among the locale's local indices,
// mirrors included. A row then has at most about sqrt(2 * edges) members. This order takes 12 bytes per local
// index and 4 per undirected edge. With several locales it takes 12 more per mirror, 16 per own vertex, and 2
// bits per vertex of the whole graph.
//
// In the order of numbers, ranks are local indices and the rows are the graph's own, which costs nothing. It
// is used if a sample says that the other order does not pay, and that few edges lead to other locales.
class triangle_rows {
 public:
  // If `directed`, rows have the neighbours by edges of either direction, in the order of degree. `wide` is
  // that of degree_ranks.hpp.
  triangle_rows(const graph::locale_graph& g, bool directed, bool wide);

  // [task; suspends; collective over the job] Chooses the order and makes the rows, for all cores. With
  // `always_by_degree` there is no choice.
  void make(bool always_by_degree = false);

  bool by_degree() const { return by_degree_; }
  std::uint32_t ranks() const { return ranks_; }
  std::uint32_t rank_of(std::uint32_t local) const { return by_degree_ ? order_.rank_of(local) : local; }
  row_order order() const {
    if (by_degree_) return row_order::degree;
    return below_ == 0 ? row_order::number : row_order::number_on_several;
  }
  // True if a member of a row in the order of numbers is a mirror that comes before own vertices.
  bool is_below(std::uint32_t member) const { return member - graph_.own < below_; }
  // True if the row of a rank has such a member. A row without one is as on a single locale.
  bool begins_below(std::uint32_t rank) const {
    const std::span<const std::uint32_t> row = of(rank);
    return !row.empty() && is_below(row.front());
  }

  // Returns the memory of the row of an own vertex's rank. In the order of numbers it has all neighbours.
  std::span<const std::uint32_t> of(std::uint32_t rank) const {
    return {members_ + offsets_[rank], members_ + offsets_[rank + 1]};
  }
  // Returns the row of a rank: the neighbours before it. Rows of mirrors are empty in the order of degree,
  // and do not exist in the order of numbers. Precondition: `Order` is order(), or number if the row does not
  // begin below.
  template <row_order Order>
  triangle_row before(std::uint32_t rank) const {
    const std::span<const std::uint32_t> row = of(rank);
    if constexpr (Order == row_order::degree) {
      const std::size_t own = own_of_.size() == 0 ? row.size() : own_of_[rank];
      return {row, row.first(own), row.subspan(own)};
    }
    auto first_own = row.begin();
    if constexpr (Order == row_order::number_on_several)
      first_own = std::find_if(row.begin(), row.end(), [this](std::uint32_t n) { return !is_below(n); });
    const auto end = std::find_if(first_own, row.end(), [=](std::uint32_t n) { return n >= rank; });
    return {{row.begin(), end}, {first_own, end}, {row.begin(), first_own}};
  }
  // For directed graphs: flags parallel to a row, set if the vertex and the member have edges of both
  // directions; and the number of neighbours of an own vertex, without itself.
  std::span<const std::uint8_t> both_of(std::uint32_t rank) const {
    return {own_both_.data() + offsets_[rank], own_both_.data() + offsets_[rank + 1]};
  }
  std::uint32_t neighbours_of(std::uint32_t own_vertex) const { return neighbours_[own_vertex]; }
  // The number of members of all rows, and the ranks whose rows begin at members [first, last).
  std::uint64_t members() const { return rows_ == 0 ? 0 : offsets_[rows_]; }
  std::pair<std::uint32_t, std::uint32_t> rows_between(std::uint64_t first, std::uint64_t last) const;

  // For several locales: the number of these mirrors that have the owner of the first one, and that owner.
  // There is at least one.
  std::pair<std::size_t, locale_id> of_one_owner(std::span<const std::uint32_t> mirrors) const;
  // The name of a vertex between locales, less than the number of vertices; and the rank of a name, or
  // ranks() if neither an own vertex nor a mirror has it.
  std::uint64_t name_of(std::uint32_t rank) const {
    return by_degree_ ? order_.name_of(rank) : graph_.number_of(rank);
  }
  std::uint32_t find(std::uint64_t name) const { return by_degree_ ? order_.find(name) : find_number(name); }

 private:
  bool degree_order_pays() const;
  std::uint64_t tests_by_degree(std::uint32_t from, std::uint32_t to, std::uint64_t random) const;
  std::uint32_t find_number(std::uint64_t number) const;
  void place_rows();
  void fill_rows();
  void fill_cut_rows();
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
  degree_ranks order_;
  bool by_degree_ = false;
  std::uint32_t rows_ = 0;                  // ranks that have one
  const std::uint64_t* offsets_ = nullptr;  // by rank, of either kind of rows
  const std::uint32_t* members_ = nullptr;

  machine::huge_array<std::uint64_t> own_offsets_;
  machine::huge_array<std::uint32_t> own_members_;
  machine::huge_array<std::uint32_t> own_of_;      // by rank, with several locales: number of own members
  machine::huge_array<std::uint8_t> own_both_;     // of a directed graph, parallel to the members,
  machine::huge_array<std::uint32_t> neighbours_;  // and by own vertex
  std::uint32_t below_ = 0;                        // mirrors whose numbers are below those of own vertices
  by_locale<std::uint32_t> mirrors_of_;            // its first mirror here, and the end
  unsigned bucket_bits_ = 0;            // mirrors are looked up by buckets of 2^bucket_bits_ numbers
  std::vector<std::uint32_t> buckets_;  // the first mirror in each, and the end
};

}  // namespace orujo::internal::algorithms::detail
