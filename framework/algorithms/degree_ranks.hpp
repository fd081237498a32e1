// Vertices by degree: the order that triangles are counted in.
#pragma once

#include <cstdint>

#include "framework/graph/build/ranked_bitmap.hpp"
#include "framework/graph/distributed_graph.hpp"
#include "system/machine/huge_array.hpp"

namespace orujo::algorithms::detail {

// A locale's, shared by its cores. All vertices of the graph have a place in an order that all locales agree
// on: those of high degrees come first, and of those with about the same degree (within 1/8) the lower
// number. The place is a vertex's name between locales. Within one vertices go by rank: their places among
// its local indices, mirrors too, in the same order. 4 bytes per local index; with several locales 12 more,
// and 2 bits per vertex of the whole graph.
class degree_ranks {
 public:
  // wide: names are exchanged with all of their 64 bits, as they are where 2^32 vertices need them.
  degree_ranks(const graph::locale_graph& g, bool wide);

  // [task; suspends; collective over the job] By the graph's out-degrees; all have them afterwards. Costs 240
  // counts to each core and 4 bytes per mirror.
  void make();

  std::uint32_t ranks() const { return ranks_; }
  std::uint32_t rank_of(std::uint32_t local) const { return rank_of_[local]; }

  // With several locales.
  std::uint32_t local_of(std::uint32_t rank) const { return by_rank_[rank].local; }
  std::uint64_t name_of(std::uint32_t rank) const {
    const place& p = by_rank_[rank];
    return upper_names_.size() == 0 ? p.lower_name
                                    : std::uint64_t{upper_names_[p.local]} << 32 | p.lower_name;
  }
  // The rank of a name, or ranks() where that is neither an own vertex's nor a mirror's.
  std::uint32_t find(std::uint64_t name) const {
    return known_.contains(name) ? static_cast<std::uint32_t>(known_.rank(name)) : ranks_;
  }

 private:
  struct place {
    std::uint32_t lower_name, local;
  };

  void name_own();
  void share_names();
  void rank();

  const graph::locale_graph& graph_;
  const bool wide_;
  const std::uint32_t ranks_;
  machine::huge_array<std::uint32_t> rank_of_;                    // by local index
  machine::huge_array<std::uint32_t> lower_names_, upper_names_;  // by local index, with several locales
  machine::huge_array<place> by_rank_;
  graph::ranked_bitmap known_;  // the names of this locale's vertices and mirrors
};

}  // namespace orujo::algorithms::detail
