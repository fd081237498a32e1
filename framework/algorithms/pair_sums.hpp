// Sums over the common neighbours of pairs of vertices: one core's part of similarity.hpp.
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

// The weight of a common neighbour of d neighbours: 1, 1 / ln d (0 with d = 1) or 1 / d. With `none` nothing
// is summed, and only the numbers of neighbours of both ends are found.
enum class neighbour_weight { none, one, inverse_log, inverse };

// Two vertices by number.
struct numbered_pair {
  std::uint64_t source, target;
};
struct pair_sum {
  exact_sum sum = 0;  // in units of 1, or of exact_sum.hpp if weights are fractions
  std::uint32_t source_degree = 0, target_degree = 0;
};

// One task on every core makes its part and asks. The graph is symmetric and has out_rows. The owner of a
// common neighbour has its edges to both ends of a pair. So a pair whose ends are on two locales
// goes to all locales, 32 bytes each, and every locale sends a sum of 48 bytes over its own vertices. A pair
// whose ends are on one locale goes to that one only. Rows do not travel.
//
// Takes the rows of edge_rows.hpp without slots, what common_neighbours takes, and 20 bytes per local index.
// At most 2^17 pairs of each core travel at a time, and take about 150 bytes each.
class pair_sums {
 public:
  // [task; suspends; collective over the job] `wide` is that of degree_ranks.hpp.
  pair_sums(const graph::locale_graph& g, bool wide, neighbour_weight weight);
  pair_sums(const pair_sums&) = delete;

  // [task] The edges of the graph, each at one core, without loops and parallel edges.
  std::vector<numbered_pair> edges() const;
  // [task; suspends; collective over the job] The sums of the calling core's pairs, in their order. A pair
  // may have two equal ends, and several pairs the same.
  std::vector<pair_sum> of(std::span<const numbered_pair> pairs);

 private:
  struct question {
    numbered_pair pair;
    std::uint64_t place;  // among the pairs of `from`
    core_id from, to;
  };
  struct answer {
    pair_sum part;
    std::uint64_t place;
    core_id to;
  };
  // Questions that a core has received. All cores of the locale answer some.
  struct alignas(64) offer {
    std::vector<ranked_edge> pairs;  // a slot is the place of a sum
    std::vector<exact_sum> sums;
    steps::dealer dealer;
  };
  struct shared {
    shared(const graph::locale_graph& g, bool wide)
        : rows(g, wide, edge_slots::none), offers(my_locales_cores()) {}
    edge_rows rows;
    machine::huge_array<exact_sum> weights;  // by rank, if they are fractions
    by_core<offer> offers;                   // by core of the locale
  };

  void weigh();
  std::vector<question> ask(std::span<const numbered_pair> pairs, std::size_t first) const;
  std::vector<answer> answers_to(std::span<const question> questions);
  void add_up(offer& from, std::span<const ranked_edge> pairs);

  const graph::locale_graph& graph_;
  const neighbour_weight weight_;
  std::shared_ptr<shared> shared_;
  const edge_rows& rows_;
  common_neighbours thirds_;
};

}  // namespace orujo::internal::algorithms::detail
