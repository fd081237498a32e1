#include "framework/algorithms/clique_rows.hpp"

#include <algorithm>
#include <atomic>
#include <utility>

#include "framework/exchange/mirror_exchange.hpp"
#include "system/collectives/collectives.hpp"

namespace orujo::internal::algorithms::detail {

clique_rows::clique_rows(const graph::locale_graph& g, int size, bool wide, std::uint64_t most_fetched)
    : graph_(g),
      least_members_(static_cast<std::size_t>(size) - 1),
      wide_(wide),
      most_fetched_(most_fetched),
      shared_(collectives::share_on_locale<shared>([&] { return std::make_shared<shared>(g, wide); })),
      mine_(shared_->shares[my_core_of_locale()]) {
  shared_->rows.make(true);
  const index_range members = my_part_of_locale({0, rows().members()});
  const auto ranks = rows().rows_between(members.first, members.last);
  mine_.first = mine_.last = ranks.first;
  last_ = ranks.second;
  if (locales() > 1) share_sizes();
}

void clique_rows::share_sizes() {
  if (leads_locale()) {
    shared_->sizes = machine::huge_array<std::uint32_t>(rows().ranks());
    shared_->locals = machine::huge_array<std::uint32_t>(rows().ranks());
    shared_->fetched = machine::huge_array<fetched_row>(rows().ranks());
  }
  collectives::barrier(collectives::group::locale);
  for (std::uint32_t v = graph_.my_part().first; v < graph_.my_part().last; ++v)
    shared_->sizes[v] =
        static_cast<std::uint32_t>(rows().before<row_order::degree>(rows().rank_of(v)).all.size());
  const index_range mine = my_part_of_locale({0, rows().ranks()});
  for (std::size_t v = mine.first; v < mine.last; ++v)
    shared_->locals[rows().rank_of(static_cast<std::uint32_t>(v))] = static_cast<std::uint32_t>(v);
  exchange::mirror_exchange<std::uint32_t> mirrors(graph_, shared_->sizes.part(0, rows().ranks()));
  mirrors.start();
  mirrors.finish();
  collectives::barrier(collectives::group::locale);
}

bool clique_rows::fetch() {
  ++round_;
  mine_.first = mine_.last;
  const std::uint64_t left = last_ - mine_.first;
  if (collectives::all_reduce(left) == 0) return false;
  const std::vector<std::uint32_t> ranks = choose_ranks();
  mine_.dealer.reset();
  if (locales() > 1) wide_ ? fetch_rows<std::uint64_t>(ranks) : fetch_rows<std::uint32_t>(ranks);
  collectives::barrier(collectives::group::locale);
  return true;
}

// Takes ranks until their rows need enough of other locales, and returns the mirrors whose rows this core is
// to fetch. If several cores of the locale need a row, one of them fetches it.
std::vector<std::uint32_t> clique_rows::choose_ranks() {
  if (locales() == 1) {
    mine_.last = last_;
    return {};
  }
  std::vector<std::uint32_t> needed;
  std::uint64_t members = 0;
  for (; mine_.last < last_ && members < most_fetched_; ++mine_.last) {
    if (!counts(mine_.last)) continue;
    for (const std::uint32_t mirror : rows().before<row_order::degree>(mine_.last).mirrors) {
      fetched_row& row = shared_->fetched[mirror];
      if (std::atomic_ref(row.round).exchange(round_, std::memory_order_relaxed) == round_) continue;
      row.size = 0;
      members += shared_->sizes[shared_->locals[mirror]];
      if (shared_->sizes[shared_->locals[mirror]] > 0) needed.push_back(mirror);
    }
  }
  return needed;
}

// A core asks for names, and gets the size and the names of the members of each, in the same order.
template <class Word>
void clique_rows::fetch_rows(std::span<const std::uint32_t> ranks) {
  by_core<std::vector<Word>> names(cores());
  by_core<std::vector<std::uint32_t>> asked(cores());
  for (const std::uint32_t rank : ranks) {
    const core_id owner = graph_.owners.owner(graph_.number_of(shared_->locals[rank]));
    names[owner].push_back(static_cast<Word>(rows().name_of(rank)));
    asked[owner].push_back(rank);
  }
  const by_core<std::vector<Word>> told =
      collectives::all_to_all(answer<Word>(collectives::all_to_all(names)));
  std::size_t words_of_all = 0;
  for (const std::vector<Word>& words : told) words_of_all += words.size();
  members_.clear();
  members_.reserve(words_of_all);  // rows point into it
  for (core_id c = 0; c < cores(); ++c) {
    auto word = told[c].begin();
    for (const std::uint32_t rank : asked[c]) {
      const std::size_t before = members_.size();
      for (Word count = *word++; count > 0; --count) {
        if (const std::uint32_t member = rows().find(*word++); member != rows().ranks())
          members_.push_back(member);
      }
      fetched_row& row = shared_->fetched[rank];
      row.size = static_cast<std::uint32_t>(members_.size() - before);
      row.members = members_.data() + before;
    }
  }
}

template <class Word>
by_core<std::vector<Word>> clique_rows::answer(const by_core<std::vector<Word>>& asked) const {
  by_core<std::vector<Word>> told(cores());
  for (core_id c = 0; c < cores(); ++c) {
    for (const Word name : asked[c]) {
      const std::span<const std::uint32_t> row = rows().before<row_order::degree>(rows().find(name)).all;
      told[c].push_back(static_cast<Word>(row.size()));
      for (const std::uint32_t member : row) told[c].push_back(static_cast<Word>(rows().name_of(member)));
    }
  }
  return told;
}

}  // namespace orujo::internal::algorithms::detail
