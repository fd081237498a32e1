// Communities of a level's vertices, and the two ways in which vertices join them: local moving and
// refinement.
#pragma once

#include <cstdint>
#include <limits>
#include <mutex>
#include <span>
#include <vector>

#include "framework/algorithms/community_level.hpp"
#include "system/containers/flat_table.hpp"
#include "system/loops/stop_flag.hpp"

namespace orujo::internal::algorithms {

// The communities of a level that a locale has seen. Communities have the numbers of vertices, of members or
// not. A slot is the place of a community at this locale: a local index, or one after them all for a
// community that has the number of no such vertex.
class communities {
 public:
  static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();
  struct figures {
    double mass = 0;  // of the members
    double cut = 0;   // in refinement: weight of the edges to other communities of the same larger one
    std::uint32_t members = 0;
  };

  explicit communities(const community_level& level)
      : of(level.graph->own + level.graph->mirrors, none),
        mass(of.size()),
        cut(of.size()),
        members(of.size()),
        graph_(*level.graph) {}

  std::vector<std::uint32_t> of;  // slot, by local index
  // By slot.
  std::vector<double> mass, cut;
  std::vector<std::uint32_t> members;

  figures figures_of(std::uint32_t slot) const { return {mass[slot], cut[slot], members[slot]}; }
  std::uint64_t number(std::uint32_t slot) const {
    return slot < of.size() ? graph_.number_of(slot) : further_[slot - of.size()];
  }
  std::uint32_t find(std::uint64_t number);
  // Any core of the locale, while none reads figures.
  std::uint32_t find_or_add(std::uint64_t number, const figures& now);
  // Cores may change the figures of a slot concurrently. Sums are exact, so that their order has no effect.
  void change(std::uint32_t slot, double mass_by, double cut_by, std::uint32_t members_by);

 private:
  const graph::locale_graph& graph_;
  std::mutex adding_;
  containers::flat_table<std::uint64_t, std::uint32_t> slots_;  // of further communities
  std::vector<std::uint64_t> further_;                          // their numbers
};

// How communities are judged, and how moves are drawn.
struct community_rules {
  double coefficient;  // of the product of two masses in the loss of having them together
  double weight;       // of all edges of the lowest level, counted at both ends
  std::uint64_t seed;
  double tolerance;  // the least share of `weight` that a sweep gains if another follows
  loops::stop_flag stop;
};

struct moving_report {
  int sweeps = 0;
  std::uint64_t moves = 0;
  bool stopped = false;
};

// [task; suspends; collective over the level] Puts each own vertex into the community with the number
// start[v].
void place_vertices(const community_level& level, communities& groups, std::span<const std::uint64_t> start);

// [task; suspends; collective over the level] Moves vertices to communities of neighbours, each to the best
// one, until a sweep gains little.
//
// A sweep takes the vertices of which a neighbour has moved since their last turn, in random classes: 16, or
// 4 after a sweep with few moves. The vertices of a class choose by the communities as they are before it,
// and then all move. So the result does not depend on the number of cores, and few neighbours move together.
// Each move is told to each other locale, 64 bytes.
moving_report move_vertices(const community_level& level, communities& groups, const community_rules& rules);

// [task; suspends; collective over the level] Cuts communities into parts, each of which is connected: the
// refinement of Leiden. `parts` has no vertices at first.
void refine(const community_level& level, const communities& groups, communities& parts,
            const community_rules& rules);

}  // namespace orujo::internal::algorithms
