// The part of a breadth-first search in which locales go on by themselves for several levels between two
// collectives. Where levels have few vertices, as on meshes and roads, a collective after each takes longer
// than all the rest. A locale assigns the level that it knows. Another locale may know a lower one, and later
// vertices are then found again. The algorithm is delta-stepping with edges of length 1.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "framework/algorithms/path_lengths.hpp"
#include "framework/graph/bit_set.hpp"
#include "framework/graph/distributed_graph.hpp"
#include "framework/steps/search_step.hpp"
#include "system/collectives/collectives.hpp"
#include "system/machine/huge_array.hpp"

namespace orujo::internal::algorithms {

// The condition on which a search goes on this way.
struct going_ahead {
  enum class when { meetings_prevail, always, never };
  when begins = when::meetings_prevail;
  int supersteps = 1;                             // always: after this number, again and again
  std::uint64_t levels = std::uint64_t{1} << 24;  // after this number, all cores make a superstep
};

// [any task] The option given by --levels_ahead.
going_ahead going_ahead_from_flags();

// One core's part, on several locales; made and used by one task per core. The graph has in_rows and
// out_rows. Takes 4 bytes per local index of a locale and what a relaxation takes.
class levels_ahead {
 public:
  // [task; suspends; collective over the job]
  explicit levels_ahead(const graph::locale_graph& g);

  // The cost of run() beside the levels, by a core, the same at every core. It passes twice over all
  // vertices.
  static std::uint64_t cost_ns(const graph::locale_graph& g) {
    return 2 * g.vertices / static_cast<std::uint64_t>(cores());
  }

  // [task] Called before a search.
  void forget() {
    used_ = false;
    rounds_ = 0;
    deepest_ = 0;
  }

  static constexpr std::uint64_t no_level = level_stepping::none;
  // The state with which a search continues.
  struct found {
    std::uint64_t next = no_level;               // level of its frontier; no_level: there is none
    std::span<const steps::discovery> frontier;  // this core's part of it, valid until the next call
    std::uint64_t edges = 0;                     // examined by all cores
  };
  // Levels up to here can be found: floats represent them exactly.
  static constexpr std::uint64_t end_of_levels = (std::uint64_t{1} << 24) - 1024;

  // [task; suspends; collective over the job] Continues from a search's frontier, whose level is above 0 and
  // below `end`. Each core passes some of its locale's own vertices in the frontier. `seen` is the locale's,
  // by local index; `words` is this core's share of it, as my_part_of_locale() divides it. `parents` is the
  // locale's, local indices by own vertex.
  //
  // Writes the parents of the vertices that it finds, and marks these as seen, except the returned frontier.
  // Mirrors get no marks, as the vertices to which they lead have been found.
  found run(std::span<const std::uint32_t> frontier, std::uint64_t level, std::uint64_t end,
            graph::bit_set& seen, index_range words, std::uint32_t* parents);

  // The deepest level of which this core has marked a vertex and returned none, since forget(); and the
  // rounds.
  std::uint64_t deepest() const { return deepest_; }
  int rounds() const { return rounds_; }

  // [task] Calls visit(own vertex, level) for vertices of the locale in [first, last) that were marked,
  // except those in frontiers.
  template <class Visit>
  void for_each(std::uint32_t first, std::uint32_t last, Visit visit) const {
    if (!used_) return;
    for (std::uint32_t v = first; v < last; ++v) {
      const float level = (*levels_)[v];
      if (level > known && level < unreached) visit(v, static_cast<std::uint64_t>(level));
    }
  }

 private:
  static constexpr float unreached = std::numeric_limits<float>::infinity();
  static constexpr float known = 0;  // of vertices that the search has found itself

  void prepare(const graph::bit_set& seen, index_range words);
  void mark(graph::bit_set& seen, std::size_t w, std::uint64_t next, std::uint32_t* parents);
  std::uint32_t parent_of(std::uint32_t v) const;

  const graph::locale_graph& graph_;
  std::shared_ptr<machine::huge_array<float>> levels_;  // by local index
  level_stepping stepping_;
  bool used_ = false;
  int rounds_ = 0;
  std::uint64_t deepest_ = 0;
  std::vector<steps::discovery> frontier_;  // found
  std::vector<std::uint32_t> too_far_;      // own vertices whose levels are not final
};

}  // namespace orujo::internal::algorithms
