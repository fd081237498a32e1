// The common neighbours of the ends of edges, in rows with slots (edge_rows.hpp).
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "framework/algorithms/edge_rows.hpp"

namespace orujo::internal::algorithms::detail {

// Which common neighbours: all, or those whose rank is below that of the first end. A
// triangle has one edge whose third vertex is below it.
enum class thirds { all, below };

// One core's. Takes 4 bytes and a bit per local index.
class common_neighbours {
 public:
  explicit common_neighbours(const edge_rows& rows)
      : rows_(rows), marks_(rows.ranks() / 64 + 1), places_(rows.ranks()) {}

  // [task] For each edge calls hit(edge, place, slot, rank) for the common neighbours whose edges to both
  // ends have slots here, and then done(edge). `place` is that in the row of the first end, `slot` that of
  // the edge to the last end. Edges with the same first end are consecutive. After them it calls leave(first,
  // places), where all places are less. If rows have no slots, it calls hit(rank), and instead of edges of
  // the graph there may be any pairs of ranks.
  //
  // The members of a row are marked for all its edges, unless these take less time when each member of a
  // short row is searched in the other one.
  template <thirds Which, class Hit, class Done, class Leave>
  void of_each(std::span<const ranked_edge> edges, const Hit& hit, const Done& done, const Leave& leave) {
    for (std::size_t k = 0, next = 0; k < edges.size(); k = next) {
      const std::uint32_t first = edges[k].first;
      std::size_t others = 0;
      for (; next < edges.size() && edges[next].first == first; ++next)
        others += rows_.of(edges[next].last).members.size();
      const std::span<const std::uint32_t> members = part<Which>(rows_.of(first), first);
      if (members.empty()) others = 0;
      const bool marked = others * search_steps > members.size();
      if (marked) mark(members);
      for (const ranked_edge& edge : edges.subspan(k, next - k)) {
        const edge_rows::row row = rows_.of(edge.last);
        const std::span<const std::uint32_t> other = part<Which>(row, first);
        const auto found = [&](std::size_t place, std::size_t there) {
          if constexpr (std::invocable<Hit, std::uint32_t>) {
            hit(other[there]);
          } else {
            hit(edge, place, row.slots[there], other[there]);
          }
        };
        if (marked && other.size() <= members.size() * search_steps) {
          for (std::size_t there = 0; there < other.size(); ++there) {
            const std::uint32_t third = other[there];
            if (marks_[third / 64] >> (third % 64) & 1) found(places_[third], there);
          }
        } else if (members.size() < other.size()) {
          search(members, other, found);
        } else {
          search(other, members, [&](std::size_t there, std::size_t place) { found(place, there); });
        }
        done(edge);
      }
      if (marked) unmark(members);
      leave(first, members.size());
    }
  }

 private:
  // The cost of a search, in tests of a mark.
  static constexpr std::size_t search_steps = 8;

  template <thirds Which>
  static std::span<const std::uint32_t> part(const edge_rows::row& row, std::uint32_t first) {
    if constexpr (Which == thirds::all) return row.members;
    return {row.members.begin(), std::ranges::lower_bound(row.members, first)};
  }
  void mark(std::span<const std::uint32_t> members) {
    for (std::size_t place = 0; place < members.size(); ++place) {
      marks_[members[place] / 64] |= std::uint64_t{1} << (members[place] % 64);
      places_[members[place]] = static_cast<std::uint32_t>(place);
    }
  }
  void unmark(std::span<const std::uint32_t> members) {
    for (const std::uint32_t member : members) marks_[member / 64] = 0;
  }
  // Calls found(place in few, place in many).
  template <class Found>
  static void search(std::span<const std::uint32_t> few, std::span<const std::uint32_t> many,
                     const Found& found) {
    auto at = many.begin();
    for (std::size_t place = 0; place < few.size(); ++place) {
      at = std::lower_bound(at, many.end(), few[place]);
      if (at == many.end()) return;
      if (*at == few[place]) found(place, static_cast<std::size_t>(at - many.begin()));
    }
  }

  const edge_rows& rows_;
  std::vector<std::uint64_t> marks_;   // bits by rank
  std::vector<std::uint32_t> places_;  // by rank: the place of a marked member in its row
};

}  // namespace orujo::internal::algorithms::detail
