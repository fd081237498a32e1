// Ranks vertices by degree: the order in which triangles are counted.
#pragma once

#include <cstdint>

#include "framework/graph/build/ranked_bitmap.hpp"
#include "framework/graph/distributed_graph.hpp"
#include "system/machine/huge_array.hpp"

namespace orujo::internal::algorithms::detail {

// A locale's data, shared by its cores. All vertices of the graph have a position in an order on which all
// locales agree. Higher degrees come first. Among about the same degree (within 1/8), the lower number does.
// The position is a vertex's name between locales. Within a locale, a vertex has a rank: its position in the
// same order among the local indices, mirrors included. Takes 4 bytes per local index; with several locales
// 12 more, and 2 bits per vertex of the whole graph.
class degree_ranks {
 public:
  // If `wide`, all 64 bits of names are exchanged, as more than 2^32 vertices require.
  degree_ranks(const graph::locale_graph& g, bool wide);

  // [task; suspends; collective over the job] Ranks vertices by the graph's out-degrees, for all cores. Sends
  // 240 counts to each core and 4 bytes per mirror.
  void make();

  std::uint32_t ranks() const { return ranks_; }
  std::uint32_t rank_of(std::uint32_t local) const { return rank_of_[local]; }

  // These require several locales.
  std::uint32_t local_of(std::uint32_t rank) const { return by_rank_[rank].local; }
  std::uint64_t name_of(std::uint32_t rank) const {
    const place& p = by_rank_[rank];
    return upper_names_.size() == 0 ? p.lower_name
                                    : std::uint64_t{upper_names_[p.local]} << 32 | p.lower_name;
  }
  // Returns the rank of a name, or ranks() if neither an own vertex nor a mirror has it.
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

}  // namespace orujo::internal::algorithms::detail
