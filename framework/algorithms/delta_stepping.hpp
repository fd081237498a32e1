// Shortest paths by the cores of a locale together, and by locales that tell each other what they find.
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
#include "framework/steps/search_step.hpp"
#include "system/base/lap_clock.hpp"
#include "system/machine/huge_array.hpp"

namespace orujo::algorithms {

struct stepping_report {
  std::uint64_t rounds = 0;
  std::uint64_t relaxed = 0;  // vertices whose edges were, by this core
  std::uint64_t edges = 0;    // these
};

// One core's part. Delta-stepping after Meyer, Sanders: "Delta-stepping: a parallelizable shortest path
// algorithm", Journal of Algorithms 49(1), 2003: bins of found vertices are worked off in ascending order,
// all cores together, each putting what it finds into its own bins. A core goes on with what it has itself
// put into the current bin as long as that is little, without meeting the others (bucket fusion: Zhang et
// al.: "Optimizing Ordered Graph Algorithms with GraphIt", CGO 2020).
//
// On several locales a bin is the job's, and each works off what it has of it and puts into it itself, along
// the edges that stay within the locale. Vertices that it has done so are told at the end of the round to
// each locale that mirrors them, which goes along the edges to its own vertices itself.
//
// Distance: float or double.
template <class Distance>
class delta_stepping {
 public:
  // [task; suspends; collective over the job] distances: by local index; mirrors get those that their owners
  // have told. Needs out_rows, and on several locales in_rows; with weights they are faster as arcs. On
  // several locales the graph gets rows of mirrors, with weights, their places, and inner rows.
  delta_stepping(const graph::locale_graph& g, std::span<Distance> distances, float delta);
  // [task; suspends; collective over the job] With levels instead of distances: each edge has length 1,
  // and a bin is a level. Needs rows with neighbours apart. On several locales only.
  delta_stepping(const graph::locale_graph& g, std::span<Distance> levels);

  // [task; suspends; collective over the job] From a vertex number; any number of times.
  void start(std::uint64_t source);
  // [task; suspends; collective over the job] After start(): from where others came in so many rounds, whose
  // distances are there.
  void start_again(std::uint64_t rounds);
  // [task; suspends; collective over the job] A round of all cores together; false when there is nothing
  // left.
  bool step();

  // Between steps, the same at every core. Distances in bins before settled() are final; no vertex of a bin
  // from end() on has been relaxed.
  std::uint64_t settled() const { return mirrors_ ? next_.bin : current_; }
  std::uint64_t end() const { return end_; }
  // Monotone in the distance, and that is all it has to be: bins are worked off until nothing is left.
  std::uint64_t bin_of(Distance distance) const {
    constexpr Distance most = 1e18f;
    const Distance bin = distance * inverse_delta_;
    return static_cast<std::uint64_t>(bin < most ? bin : most);
  }

  static constexpr std::uint64_t no_level = ~std::uint64_t{0};
  // [task; suspends; collective over the job] With levels: goes on from all vertices of a level, of which the
  // cores pass own ones of their locale each. Their levels are there, those of vertices to be found are
  // infinity, and no other is to be lowered. Ends with level `end` at the latest, and before one that has
  // many edges.
  struct gone_on {
    std::uint64_t
        level;  // the next: up to it levels are right, also those of mirrors before it, and what has
                // one beyond it may be nearer; or no_level: all that can be reached has its level
    std::uint64_t edges;  // looked at by all cores
  };
  gone_on go_on(std::span<const std::uint32_t> found, std::uint64_t level, std::uint64_t end);
  // Since start(), or of going on.
  const stepping_report& report() const { return report_; }

 private:
  // A vertex whose out-edges are to be relaxed, and its distance when it was found.
  struct found_vertex {
    std::uint32_t vertex;
    Distance distance;
  };
  using bins = steps::bins<found_vertex>;
  // What a core has found for a bin, from which all take.
  struct alignas(64) offer {
    std::uint64_t bin = bins::none;
    std::span<const found_vertex> found;
    steps::dealer dealer;
  };
  // Own vertices with mirrors that a core was the first to relax in a round.
  struct alignas(64) told_vertices {
    std::vector<std::uint32_t> vertices;
  };
  struct arena {
    arena(std::size_t cores, std::uint32_t own)
        : offers{std::vector<offer>(cores), std::vector<offer>(cores)}, to_tell(cores), is_told(own) {}
    std::vector<offer> offers[2];  // by core; rounds use the two in turn
    // Of a round between locales: by core, and as bits.
    std::vector<told_vertices> to_tell;
    graph::bit_set is_told;
  };

  // What all cores together know of the next round: its first bin, and what the last one took.
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
  bool next_round();
  bool next_round_of_locale(std::uint64_t last);
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
  const std::size_t me_;  // core of the locale
  std::shared_ptr<arena> arena_;
  const Distance inverse_delta_;
  bins bins_;                            // of distances: bin b has those from b * delta to (b + 1) * delta
  std::uint64_t current_ = 0, end_ = 0;  // bins
  std::size_t turn_ = 0;
  std::vector<found_vertex> offered_[2];
  // Between locales.
  outlook next_{};
  steps::lookahead ahead_;  // in bins
  base::lap_clock clock_;
  std::uint64_t meeting_ns_ = 0;    // of the last round
  std::uint64_t edges_before_ = 0;  // looked at until then
  std::shared_ptr<const machine::huge_array<graph::inner_row>> inner_rows_;
  std::shared_ptr<const graph::mirror_rows> mirror_rows_;  // or
  std::shared_ptr<const graph::weighted_mirror_rows> weighted_mirror_rows_;
  Distance nearest_outside_ = 0;  // of what vertices with mirrors may lead to
  std::optional<exchange::mirror_values<Distance>> mirrors_;
  std::vector<std::uint32_t> told_;          // mirrors, by local index,
  std::vector<found_vertex> found_mirrors_;  // and from the first mirror on
  stepping_report report_;
};

}  // namespace orujo::algorithms
