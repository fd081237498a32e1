#include "framework/algorithms/edge_rows.hpp"

#include <memory>
#include <vector>

#include "system/collectives/collectives.hpp"
#include "system/collectives/exchange_by.hpp"

namespace orujo::internal::algorithms::detail {

edge_rows::edge_rows(const graph::locale_graph& g, bool wide, edge_slots slots)
    : graph_(g),
      has_slots_(slots == edge_slots::all),
      order_(g, wide),
      local_(g.own + g.mirrors),
      sizes_(local_.size()),
      firsts_(local_.size()) {}

void edge_rows::make() {
  order_.make();
  const index_range mine = my_part_of_locale({0, local_.size()});
  for (std::size_t v = mine.first; v < mine.last; ++v)
    local_[order_.rank_of(static_cast<std::uint32_t>(v))] = static_cast<std::uint32_t>(v);
  std::shared_ptr<const graph::mirror_rows> to_mirrors;
  if (locales() > 1) to_mirrors = graph::turn_rows_to_mirrors(graph_);
  const std::uint64_t of_mirrors = to_mirrors ? to_mirrors->offsets()[graph_.mirrors] : 0;
  if (leads_locale() && members_.size() != slots() + of_mirrors) {
    members_ = machine::huge_array<std::uint32_t>(slots() + of_mirrors);
    if (has_slots_) slots_ = machine::huge_array<std::uint64_t>(slots() + of_mirrors);
    if (has_slots_ && locales() > 1) {
      there_ = machine::huge_array<std::uint64_t>(slots());
      last_ends_ = machine::huge_array<std::uint32_t>(slots());
    }
  }
  collectives::barrier(collectives::group::locale);
  copy_own();
  if (to_mirrors) copy_mirrors(*to_mirrors);
  collectives::barrier(collectives::group::locale);
  if (has_slots_) find_slots();
  if (has_slots_ && locales() > 1) find_slots_there();
  collectives::barrier();
}

void edge_rows::copy_own() {
  const graph::core_part& mine = graph_.my_part();
  for (std::uint32_t v = mine.first; v < mine.last; ++v) {
    const std::uint64_t first = graph_.out_rows->offsets[v];
    std::uint32_t *const begin = members_.data() + first, *end = begin;
    for (const std::uint32_t n : graph_.out_rows->of(v)) {
      *end = order_.rank_of(n);
      end += n != v;
    }
    std::sort(begin, end);
    const std::uint32_t rank = order_.rank_of(v);
    firsts_[rank] = first;
    sizes_[rank] = static_cast<std::uint32_t>(std::unique(begin, end) - begin);
    if (has_slots_ && locales() > 1) std::copy(begin, end, last_ends_.data() + first);
  }
}

void edge_rows::copy_mirrors(const graph::mirror_rows& rows) {
  const index_range mine = my_part_of_locale({0, graph_.mirrors});
  for (std::size_t m = mine.first; m < mine.last; ++m) {
    const std::uint64_t first = slots() + rows.offsets()[m];
    std::uint32_t *const begin = members_.data() + first, *end = begin;
    for (const std::uint32_t v : rows.of(static_cast<std::uint32_t>(m))) *end++ = order_.rank_of(v);
    std::sort(begin, end);
    const std::uint32_t rank = order_.rank_of(graph_.own + static_cast<std::uint32_t>(m));
    firsts_[rank] = first;
    sizes_[rank] = static_cast<std::uint32_t>(std::unique(begin, end) - begin);
  }
}

void edge_rows::find_slots() {
  const auto find_in_row = [this](std::uint32_t v) {
    const std::uint32_t rank = order_.rank_of(v);
    const row all = of(rank);
    for (std::size_t k = 0; k < all.members.size(); ++k) {
      const std::uint32_t member = all.members[k];
      const bool in_this_row = v < graph_.own && (rank < member || !is_own(member));
      const bool belongs_here = is_own(std::min(rank, member));
      all.slots[k] = (in_this_row ? firsts_[rank] + k : slot_at(member, rank)) | (belongs_here ? 0 : remote);
    }
  };
  const graph::core_part& own = graph_.my_part();
  for (std::uint32_t v = own.first; v < own.last; ++v) find_in_row(v);
  const index_range mirrors = my_part_of_locale({graph_.own, local_.size()});
  for (std::size_t m = mirrors.first; m < mirrors.last; ++m) find_in_row(static_cast<std::uint32_t>(m));
}

// Where an edge belongs, its slot is sent to the owner of the other end.
void edge_rows::find_slots_there() {
  struct slot_of_edge {
    std::uint64_t first, last;  // names
    std::uint64_t slot;
    core_id owner;  // of the last
  };
  std::vector<slot_of_edge> told;
  const graph::core_part& mine = graph_.my_part();
  for (std::uint32_t v = mine.first; v < mine.last; ++v) {
    const std::uint32_t rank = order_.rank_of(v);
    for (const std::uint32_t member : of(rank).members) {
      if (member > rank && !is_own(member))
        told.push_back({name_of(rank), name_of(member), slot_at(rank, member), owner_of(member)});
    }
  }
  told = collectives::exchange_by(told, [](const slot_of_edge& e) { return e.owner; });
  for (const slot_of_edge& e : told) there_[slot_at(find(e.last), find(e.first))] = e.slot;
}

std::pair<std::uint32_t, std::uint32_t> edge_rows::ends(std::uint64_t slot) const {
  const machine::huge_array<std::uint64_t>& offsets = graph_.out_rows->offsets;
  const auto* const at = std::upper_bound(offsets.begin(), offsets.end(), slot);
  return {order_.rank_of(static_cast<std::uint32_t>(at - offsets.begin() - 1)), last_ends_[slot]};
}

std::vector<ranked_edge> edge_rows::edges_here() const {
  std::vector<ranked_edge> edges;
  for (std::uint32_t v = graph_.my_part().first; v < graph_.my_part().last; ++v) {
    const std::uint32_t rank = order_.rank_of(v);
    const row all = of(rank);
    for (std::size_t k = 0; k < all.members.size(); ++k) {
      if (all.members[k] > rank) edges.push_back({rank, all.members[k], all.slots[k]});
    }
  }
  return edges;
}

}  // namespace orujo::internal::algorithms::detail
