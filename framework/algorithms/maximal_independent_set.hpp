// A maximal independent set of an undirected graph: vertices of which no two are neighbours, and beside which
// there is room for no other.
#pragma once

#include <cstdint>
#include <limits>

#include "framework/graph/property.hpp"
#include "framework/gas/run.hpp"
#include "system/base/random.hpp"

namespace orujo::algorithms {

// Blelloch, Fineman, Shun, "Greedy Sequential Maximal Independent Set and Matching are Parallel on Average",
// SPAA 2012, after Luby, "A Simple Parallel Algorithm for the Maximal Independent Set Problem", STOC 1985:
// vertices have random priorities, fixed from the beginning. A vertex joins when it comes before all
// undecided neighbours, and is left out when a neighbour has joined. The result is the set that a serial
// program finds which takes every vertex that it can in the order of the priorities, whatever the split, and
// after O(log^2 vertices) supersteps with high probability. Loops do not count. For graphs made with
// --symmetrize.
struct maximal_independent_set {
  // The priority while undecided, 0 inside and the largest number outside: so the least that a vertex sees
  // says whether a neighbour has joined, and if not whether its own turn has come.
  using value = std::uint64_t;
  static constexpr auto combine = gas::minimum{};
  static constexpr bool settles = true;
  using aggregate = gas::nothing;

  static constexpr std::uint32_t outside = 0, inside = 1, undecided = 2;

  // Of different ids different: mix64 is a bijection. The smaller goes first.
  static std::uint64_t turn_of(std::uint64_t id, std::uint64_t seed) { return mix64(id ^ mix64(seed)); }

  template <class V>
  V gather(V shown, V) const {
    return shown;
  }

  value start(const gas::vertex& v, aggregate&) {
    decided.here()[v.local] = undecided;
    return turn_of(v.id(), seed);
  }

  bool apply(const gas::vertex& v, value least, value& shown, aggregate&) {
    std::uint32_t& mine = decided.here()[v.local];
    if (mine != undecided) return false;
    // In this order: the priority may be 0, and the least may be its own, by a loop.
    if (least >= shown) {
      mine = inside;
      shown = 0;
    } else if (least == 0) {
      mine = outside;
      shown = std::numeric_limits<value>::max();
    }
    return mine == undecided;
  }

  bool settled(const gas::vertex& v) const { return decided.here()[v.local] != undecided; }

  void checkpoint(gas::program_state& kept) { kept.add("decided", decided); }

  gas::property<std::uint32_t> decided;  // in the end inside or outside
  std::uint64_t seed = 1;
};

}  // namespace orujo::algorithms

namespace orujo::gas {

// Compiled once, in the library.
extern template run_report run(algorithms::maximal_independent_set&, graph::distributed_graph,
                               const run_options&);

}  // namespace orujo::gas
