// Delta-stepping: the cores of a locale find shortest paths together, and locales send each other the
// vertices that they have relaxed.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "framework/exchange/mirror_values.hpp"
#include "framework/graph/bit_set.hpp"
#include "framework/graph/distributed_graph.hpp"
#include "framework/graph/inner_rows.hpp"
#include "framework/graph/mirror_rows.hpp"
#include "framework/steps/bins.hpp"
#include "framework/steps/dealer.hpp"
#include "framework/steps/lookahead.hpp"
#include "framework/steps/row_order.hpp"
#include "framework/steps/search_step.hpp"
#include "system/base/lap_clock.hpp"
#include "system/machine/huge_array.hpp"

namespace orujo::internal::algorithms {

struct stepping_report {
  std::uint64_t rounds = 0;
  std::uint64_t relaxed = 0;  // vertices whose edges this core has relaxed
  std::uint64_t edges = 0;    // of these vertices
};

// One core's part of delta-stepping. The algorithm is Meyer, Sanders, "Delta-stepping: a parallelizable
// shortest path algorithm", Journal of Algorithms 49(1), 2003. Cores work off bins of found vertices in
// ascending order, all together, and each puts what it finds into its own bins. While a core has put few
// vertices into the current bin, it goes on with these without a barrier. This is the bucket fusion of Zhang
// et al., "Optimizing Ordered Graph Algorithms with GraphIt", CGO 2020. On one locale, one core works off a
// bin with very few vertices. It goes on to its later bins while these are as small, and not behind those of
// the other cores. So a path takes no barrier per vertex.
//
// On several locales a bin is the job's. Each locale works off its part of the bin along the edges that stay
// within the locale, with all that it adds to the bin meanwhile. At the end of the round it sends these
// vertices to each locale that mirrors them (as ghost vertices). That locale relaxes the edges to its own
// vertices.
//
// Distance is float or double.
template <class Distance>
class delta_stepping {
 public:
  // [task; suspends; collective over the job] `distances` is the locale's array, by local index; mirrors get
  // the distances that their owners send. The graph has out_rows, and on several locales in_rows. Weighted
  // rows are faster if they have arcs. On several locales the graph gets rows of mirrors with weights, the
  // places of mirrors, and inner rows.
  delta_stepping(const graph::locale_graph& g, std::span<Distance> distances, float delta);
  // [task; suspends; collective over the job] Finds levels instead of distances: each edge has length 1, and
  // a bin is a level. Requires several locales, and rows that have `neighbours`.
  delta_stepping(const graph::locale_graph& g, std::span<Distance> levels);

  // [task; suspends; collective over the job] Begins a search from the vertex of this number. It may be
  // called any number of times.
  void start(std::uint64_t source);
  // [task; suspends; collective over the job] After start(), resumes a search of which `rounds` rounds were
  // done elsewhere and whose distances have been restored, as from a checkpoint.
  void start_again(std::uint64_t rounds);
  // [task; suspends; collective over the job] Does a round of all cores together. Returns false if nothing is
  // left.
  bool step();

  // Between steps these are the same at every core. Distances in bins before settled() are final. No vertex
  // of a bin from end() on has been relaxed, but for those to which one core has gone on alone: end() is
  // behind them after the next step.
  std::uint64_t settled() const { return mirrors_ ? next_.bin : settled_; }
  std::uint64_t end() const { return end_; }
  // Bins are monotone in the distance. That suffices, because bins are worked off until nothing is left.
  std::uint64_t bin_of(Distance distance) const {
    constexpr Distance most = 1e18f;
    const Distance bin = distance * inverse_delta_;
    return static_cast<std::uint64_t>(bin < most ? bin : most);
  }

  static constexpr std::uint64_t no_level = ~std::uint64_t{0};
  // [task; suspends; collective over the job] With levels, goes on from all vertices of a level; each core
  // passes some of its locale's own vertices. `levels` has their level, infinity for vertices to be found,
  // and smaller levels for all others. Returns before the first level that is `end` or more, or that has many
  // edges.
  struct gone_on {
    // The next level, or no_level if all reachable vertices have their levels. Levels of own vertices are
    // final up to it, those of mirrors below it. Later ones may still fall.
    std::uint64_t level;
    std::uint64_t edges;  // examined by all cores
  };
  gone_on go_on(std::span<const std::uint32_t> found, std::uint64_t level, std::uint64_t end);
  // Figures since start(), or of the last go_on().
  const stepping_report& report() const { return report_; }

 private:
  // A vertex whose out-edges are to be relaxed, and its distance when it was found.
  struct found_vertex {
    std::uint32_t vertex;
    Distance distance;
  };
  using bins = steps::bins<found_vertex>;
  // Vertices that a core has found for a bin. All cores of the locale take some.
  struct alignas(64) offer {
    std::uint64_t bin = bins::none;
    std::uint64_t next = 0;  // the core's first later bin if it offers few on one locale, otherwise 0
    std::uint64_t end = 0;   // behind the last bin that the core has relaxed alone
    std::span<const found_vertex> found;
    steps::dealer dealer;
  };
  // Own vertices with mirrors that a core was the first to relax in a round.
  struct alignas(64) told_vertices {
    std::vector<std::uint32_t> vertices;
  };
  struct arena {
    arena(int cores, std::uint32_t own)
        : offers{by_core<offer>(cores), by_core<offer>(cores)}, to_tell(cores), is_told(own) {}
    by_core<offer> offers[2];  // rounds use the two in turn
    // Vertices to tell mirrors of after a round between locales, as lists by core and as bits.
    by_core<told_vertices> to_tell;
    graph::bit_set is_told;
  };

  // The first bin of the next round and the measurements of the last round, reduced over all cores.
  struct outlook {
    std::uint64_t bin;
    steps::lookahead::measured last;
  };
  static outlook first_of(outlook a, const outlook& b) {
    a.bin = std::min(a.bin, b.bin);
    a.last += b.last;
    return a;
  }

  delta_stepping(const graph::locale_graph& g, std::span<Distance> distances, float delta, bool by_levels);
  void push(const found_vertex& one) { bins_.push(bin_of(one.distance), one); }
  void forget();
  bool round_of_locale();
  bool round_of_locales();
  void meet();
  std::uint64_t offer_bin(std::uint64_t bin);
  void take_offered();
  void order(std::vector<found_vertex>& bin);
  bool next_round();
  bool next_round_of_locale(std::uint64_t last);
  void work_off();
  void work_off_alone();
  void tell_mirrors();
  template <steps::sharing With>
  void will_tell(std::uint32_t vertex);
  void work_off_offers();
  void work_off_own();
  void relax(std::span<const found_vertex> found);
  void relax_mirrors();
  template <class Rows, class Edges>
  void relax(std::span<const found_vertex> found, Rows rows, Edges edges);
  template <steps::sharing With, class Rows, class Edges>
  void relax_with(std::span<const found_vertex> found, Rows rows, Edges edges);
  template <steps::sharing With>
  void lower(Distance& known, std::uint32_t vertex, Distance distance);

  const graph::locale_graph& graph_;
  const bool by_levels_;  // edges have length 1
  const graph::adjacency& rows_;
  const std::span<Distance> distances_;
  const int me_;  // core of the locale
  std::shared_ptr<arena> arena_;
  const Distance inverse_delta_;
  steps::row_order order_{graph_.own};
  bins bins_;  // of distances: bin b has those from b * delta to (b + 1) * delta
  std::uint64_t current_ = 0, settled_ = 0, end_ = 0;  // bins
  bool alone_ = false;                                 // the other cores of the locale wait
  std::uint64_t alone_to_ = 0;                         // behind the last bin that this core relaxed so
  std::size_t turn_ = 0;
  std::vector<found_vertex> offered_[2];
  // The members below are for several locales.
  outlook next_{};
  steps::lookahead ahead_;  // in bins
  base::lap_clock clock_;
  std::uint64_t meeting_ns_ = 0;    // of the last round
  std::uint64_t edges_before_ = 0;  // examined before this round
  std::shared_ptr<const machine::huge_array<graph::inner_row>> inner_rows_;
  std::shared_ptr<const graph::mirror_rows> mirror_rows_;  // without weights, or
  std::shared_ptr<const graph::weighted_mirror_rows> weighted_mirror_rows_;
  Distance nearest_outside_ = 0;  // least distance that relaxed vertices give to other locales' vertices
  std::optional<exchange::mirror_values<Distance>> mirrors_;
  std::vector<std::uint32_t> told_;          // received mirrors, by local index
  std::vector<found_vertex> found_mirrors_;  // these, numbered from the first mirror on
  stepping_report report_;
};

}  // namespace orujo::internal::algorithms
