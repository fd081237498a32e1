// Sums of the intensities of triangles by vertex: one core's part of weighted_clustering.hpp.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "framework/algorithms/common_neighbours.hpp"
#include "framework/algorithms/edge_rows.hpp"
#include "framework/algorithms/exact_sum.hpp"
#include "framework/steps/dealer.hpp"
#include "system/machine/huge_array.hpp"

namespace orujo::internal::algorithms::detail {

// One task on every core makes its part and runs it. The graph is symmetric and has out_rows.
//
// Takes the rows of edge_rows.hpp with slots and 8 bytes per slot, what common_neighbours takes, 16 bytes per
// local index, and 16 per edge of a core. With several locales, an edge between two of them goes to all
// others, 32 bytes each, at most 2^17 edges of a core at a time. The owner of a third vertex has its edges to
// both ends.
class triangle_intensities {
 public:
  // [task; suspends; collective over the job] `wide` is that of degree_ranks.hpp.
  triangle_intensities(const graph::locale_graph& g, bool wide);
  triangle_intensities(const triangle_intensities&) = delete;

  // [task; suspends; collective over the job] Returns the number of all triangles.
  std::uint64_t run();
  // [task] After run(): the sum of an own vertex of this core, and the number of its neighbours.
  double sum_of(std::uint32_t own_vertex) const;
  std::size_t neighbours_of(std::uint32_t own_vertex) const;

 private:
  struct travelling_edge {
    std::uint64_t first, last;  // names
    double root;
    core_id to;
  };
  struct travelling_sum {
    std::uint64_t name;
    exact_sum sum;
    core_id to;
  };
  // Edges that a core offers to all cores of its locale. `roots` has those of their weights, by slot.
  struct alignas(64) offer {
    std::span<const ranked_edge> edges;
    const double* roots = nullptr;
    steps::dealer dealer;
  };
  struct shared {
    shared(const graph::locale_graph& g, bool wide)
        : rows(g, wide),
          roots(g.out_rows->edges()),
          sums(g.own + g.mirrors),
          offers(2 * static_cast<std::size_t>(my_locales_cores())) {}
    edge_rows rows;
    machine::huge_array<double> roots;     // by slot: the cube root of the weight by the largest one
    machine::huge_array<shared_sum> sums;  // by rank
    std::vector<offer> offers;             // two of each core: of its own edges, and of other locales'
  };

  float find_largest_weight() const;
  void find_roots();
  void exchange_edges(std::span<const ranked_edge> edges);
  void work_off(std::span<const ranked_edge> edges);
  void add_up(std::span<const ranked_edge> edges, const double* roots);
  void send_sums();

  const graph::locale_graph& graph_;
  std::shared_ptr<shared> shared_;
  edge_rows& rows_;
  common_neighbours thirds_;
  std::vector<ranked_edge> heard_;   // edges of other locales. A slot is a place in
  std::vector<double> heard_roots_;  // their roots
  std::vector<exact_sum> by_place_;  // sums of the members of a row
  std::uint64_t triangles_ = 0;      // found by this core
};

}  // namespace orujo::internal::algorithms::detail
