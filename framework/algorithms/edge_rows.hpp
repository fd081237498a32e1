// Rows of neighbours in which every undirected edge has one slot, so that values of edges can be found from
// both ends and from triangles.
#pragma once

#include <algorithm>
#include <compare>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "framework/algorithms/degree_ranks.hpp"
#include "framework/graph/distributed_graph.hpp"
#include "framework/graph/mirror_rows.hpp"
#include "system/machine/huge_array.hpp"

namespace orujo::internal::algorithms::detail {

// An edge by the ranks of its ends, first < last.
struct ranked_edge {
  std::uint32_t first, last;
  std::uint64_t slot;
  friend auto operator<=>(const ranked_edge&, const ranked_edge&) = default;
};

// Rows without slots have members only.
enum class edge_slots { none, all };

// A locale's rows of a symmetric graph, shared by its cores. Vertices are identified by their rank by degree
// (degree_ranks.hpp). A row ascends, without loops and parallel edges. The row of an own vertex has all
// neighbours, the row of a mirror the own ones.
//
// An edge belongs to the locale that owns its end of smaller rank, the `first` end. The slot of an edge is
// the place of the other end in the row of the first one. If only the other end is own, the edge is remote:
// it has a slot in that end's row, and another one where it belongs. Takes 12 bytes per member of a row and
// 20 per local index. Several locales take 12 more per member of an own row, the rows to mirrors
// (graph/mirror_rows.hpp), and what degree_ranks takes. Rows without slots take 4 bytes per member.
class edge_rows {
 public:
  // Marks the slot of a remote edge.
  static constexpr std::uint64_t remote = std::uint64_t{1} << 63;

  struct row {
    std::span<std::uint32_t> members;
    std::uint64_t* slots;  // parallel to the members; null if rows have none
  };

  // `wide` is that of degree_ranks.hpp.
  edge_rows(const graph::locale_graph& g, bool wide, edge_slots slots = edge_slots::all);

  // [task; suspends; collective over the job] Makes the rows, for all cores.
  void make();

  std::uint32_t ranks() const { return static_cast<std::uint32_t>(local_.size()); }
  std::uint32_t rank_of(std::uint32_t local) const { return order_.rank_of(local); }
  std::uint32_t local_of(std::uint32_t rank) const { return local_[rank]; }
  bool is_own(std::uint32_t rank) const { return local_[rank] < graph_.own; }
  // Slots are below this.
  std::uint64_t slots() const { return graph_.out_rows->edges(); }

  row of(std::uint32_t rank) const {
    return {{members_.data() + firsts_[rank], sizes_[rank]},
            has_slots_ ? slots_.data() + firsts_[rank] : nullptr};
  }
  // The place of a member in a row; the row's size if it has no such member.
  static std::size_t place(std::span<const std::uint32_t> members, std::uint32_t rank) {
    const auto at = std::ranges::lower_bound(members, rank);
    return static_cast<std::size_t>((at != members.end() && *at == rank ? at : members.end()) -
                                    members.begin());
  }
  // [one core at a time for a rank] Removes the members whose slots are not wanted.
  template <class Wanted>
  void shorten(std::uint32_t rank, const Wanted& wanted) {
    const row all = of(rank);
    std::uint32_t left = 0;
    for (std::size_t k = 0; k < all.members.size(); ++k) {
      if (!wanted(all.slots[k] & ~remote)) continue;
      all.members[left] = all.members[k];
      all.slots[left++] = all.slots[k];
    }
    sizes_[rank] = left;
  }

  // For several locales. Names are the same in the whole job, and less than the number of vertices; rank_of
  // returns ranks() if neither an own vertex nor a mirror has the name.
  std::uint64_t name_of(std::uint32_t rank) const { return order_.name_of(rank); }
  std::uint32_t find(std::uint64_t name) const { return order_.find(name); }
  // The core that owns a vertex.
  core_id owner_of(std::uint32_t rank) const { return graph_.owners.owner(graph_.number_of(local_of(rank))); }
  // The slot of a remote edge where it belongs, from its slot here.
  std::uint64_t slot_there(std::uint64_t slot_here) const { return there_[slot_here]; }
  // The ends of an edge that belongs here, the first one first.
  std::pair<std::uint32_t, std::uint32_t> ends(std::uint64_t slot) const;
  // [task] The edges whose first ends are the calling core's, those of a first end together.
  std::vector<ranked_edge> edges_here() const;

 private:
  void copy_own();
  void copy_mirrors(const graph::mirror_rows& rows);
  void find_slots();
  void find_slots_there();
  std::uint64_t slot_at(std::uint32_t rank, std::uint32_t member) const {
    return firsts_[rank] + place(of(rank).members, member);
  }

  const graph::locale_graph& graph_;
  const bool has_slots_;
  degree_ranks order_;
  machine::huge_array<std::uint32_t> local_, sizes_;  // by rank, as are
  machine::huge_array<std::uint64_t> firsts_;         // the places of rows
  machine::huge_array<std::uint32_t> members_;        // rows of own vertices, then those of mirrors
  machine::huge_array<std::uint64_t> slots_;          // parallel
  machine::huge_array<std::uint64_t> there_;          // by slot, with several locales
  machine::huge_array<std::uint32_t> last_ends_;      // by slot, with several locales
};

}  // namespace orujo::internal::algorithms::detail
