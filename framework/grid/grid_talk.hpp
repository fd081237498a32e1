// Messages between the locales of a grid in a search (grid_search.hpp). The column receives the frontier, and
// the row what is seen and what is found.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "framework/grid/grid_graph.hpp"
#include "framework/grid/grid_state.hpp"
#include "framework/grid/grid_step.hpp"
#include "framework/grid/range_exchange.hpp"
#include "system/collectives/collectives.hpp"
#include "system/loops/forall.hpp"

namespace orujo::internal::algorithms::detail {

// One core's part, which has a share of the words of each range. Its functions are collective over the job.
// They suspend, and return when the masks of the locale's grid_state have what the locale has received.
class grid_talk {
  using bit_set = graph::bit_set;
  using word = bit_set::word;

 public:
  grid_talk(const graph::locale_grid& g, grid_state& shared, const exchange::codec_options& codecs)
      : graph_(g),
        shared_(shared),
        column_(
            column_mates(g), shared_.words,
            [this](locale_id from, std::size_t w, word bits) { take_frontier(from, w, bits); }, codecs,
            [this](locale_id from, std::size_t w) {
              return shared_.new_source(shared_.column_section(from) + w);
            }),
        told_(
            row_mates(g), shared_.words,
            [this](locale_id from, std::size_t w, word bits) {
              shared_.targets.words()[shared_.section(from) + w] |= bits;
            },
            codecs,
            [this](locale_id from, std::size_t w) { return shared_.findable(shared_.section(from) + w); }),
        found_(
            row_mates(g), shared_.words,
            [this](locale_id from, std::size_t w, word bits) {
              shared_.heard.words()[shared_.section(from) + w] = bits;
            },
            codecs,
            [this](locale_id from, std::size_t w) { return shared_.unheard(shared_.section(from) + w); }) {}

  // The other locales of the column, and of the row.
  const std::vector<locale_id>& column() const { return column_.peers(); }
  const std::vector<locale_id>& row() const { return found_.peers(); }

  // This core's words of a range.
  index_range my_words() const { return found_.my_words(); }
  static index_range my_words_of(const bit_set& mask) { return my_part_of_locale({0, mask.size_in_words()}); }
  std::span<word> mine_of(const bit_set& mask, std::size_t section) const {
    return mask.words().subspan(section + my_words().first, my_words().size());
  }

  // Called once. Exchanges which vertices have edges where, so that other vertices are never sent. Masks of
  // searches receive this, as searches clear them first.
  void tell_edges() {
    grid_state& s = shared_;
    const index_range rows = my_words_of(s.pullable);
    for (std::size_t row = rows.first * bit_set::word_bits; row < rows.last * bit_set::word_bits; ++row) {
      if (graph_.by_target->degree(static_cast<std::uint32_t>(row)) > 0) s.pullable.set(row);
    }
    collectives::barrier(collectives::group::locale);
    const std::size_t own = shared_.column_section(my_locale());
    for (std::size_t w = my_words().first; w < my_words().last; ++w) {
      word leave = 0;
      for (std::size_t k = 0; k < bit_set::word_bits && w * bit_set::word_bits + k < graph_.own; ++k)
        leave |= word{graph_.out_degree[w * bit_set::word_bits + k] > 0} << k;
      s.fresh.words()[own + w] = leave;
    }
    column_.send_all(mine_of(s.fresh, own));
    for (const locale_id l : found_.peers()) found_.send(l, mine_of(s.pullable, s.section(l)));
    column_.await();
    found_.await();
    collectives::barrier(collectives::group::locale);
    std::ranges::copy(mine_of(s.fresh, own), mine_of(s.leaving, own).begin());
    for (const locale_id l : column_.peers())
      std::ranges::copy(mine_of(s.fresh, s.column_section(l)),
                        mine_of(s.leaving, s.column_section(l)).begin());
    for (const locale_id l : found_.peers())
      std::ranges::copy(mine_of(s.heard, s.section(l)), mine_of(s.reached, s.section(l)).begin());
  }

  void tell_frontier() {
    // The locale's own cores have no use for vertices without out-edges either.
    const std::size_t own = shared_.column_section(my_locale());
    const std::span<word> fresh = mine_of(shared_.fresh, own);
    masks_.resize(fresh.size());
    for (std::size_t w = 0; w < fresh.size(); ++w) {
      const std::size_t at = own + my_words().first + w;
      fresh[w] &= shared_.leaving.words()[at];
      masks_[w] = shared_.new_source(at) | fresh[w];
    }
    column_.send_all(fresh, masks_);
    column_.await();
    collectives::barrier(collectives::group::locale);
  }

  // The row need not search for vertices that their owner knows as seen.
  void tell_seen() {
    const std::span<const word> seen = mine_of(shared_.targets, shared_.section(my_locale()));
    for (const locale_id l : told_.peers()) {
      const std::size_t first = shared_.section(l) + my_words().first;
      news_.resize(seen.size());
      masks_.resize(seen.size());
      for (std::size_t w = 0; w < seen.size(); ++w) {
        masks_[w] = shared_.unheard(first + w);
        news_[w] = seen[w] & masks_[w];
        shared_.known.words()[first + w] = seen[w];
      }
      told_.send(l, news_, masks_);
    }
    told_.await();
    collectives::barrier(collectives::group::locale);
  }

  // Sends what is found to the owners, in the step's messages if it has any.
  void tell_found(const grid_step& step) {
    for (const locale_id l : found_.peers()) {
      if (step.packs_found()) {
        found_.send_packed(l, [&](const auto& send) { step.for_each_message(l, send); });
        continue;
      }
      const std::size_t first = shared_.section(l) + my_words().first;
      const std::span<word> found = mine_of(shared_.found, shared_.section(l));
      news_.assign(found.begin(), found.end());
      masks_.resize(found.size());
      for (std::size_t w = 0; w < found.size(); ++w) {
        masks_[w] = shared_.findable(first + w) | news_[w];
        found[w] = 0;
      }
      found_.send(l, news_, masks_);
    }
    found_.await();
    collectives::barrier(collectives::group::locale);
  }

  exchange::byte_counts column_bytes() const { return column_.bytes(); }
  exchange::byte_counts row_bytes() const {
    exchange::byte_counts sum = told_.bytes();
    sum += found_.bytes();
    return sum;
  }
  void forget_bytes() {
    for (exchange::range_exchange* e : {&column_, &told_, &found_}) e->forget_bytes();
  }

 private:
  static std::vector<locale_id> column_mates(const graph::locale_grid& g) {
    std::vector<locale_id> mates;
    for (int r = 0; r < g.shape.rows; ++r) {
      if (r != g.row) mates.push_back(g.shape.at(r, g.column));
    }
    return mates;
  }
  static std::vector<locale_id> row_mates(const graph::locale_grid& g) {
    std::vector<locale_id> mates;
    for (int c = 0; c < g.shape.columns; ++c) {
      if (c != g.column) mates.push_back(g.shape.at(g.row, c));
    }
    return mates;
  }

  // Called by a message handler. No core reads these masks at that time: the sender has left the last
  // superstep, so all cores have finished it.
  void take_frontier(locale_id from, std::size_t w, word bits) {
    const std::size_t at = shared_.column_section(from) + w;
    shared_.sources.words()[at] |= bits;
    shared_.fresh.words()[at] = bits;
  }

  const graph::locale_grid& graph_;
  grid_state& shared_;
  std::vector<word> news_, masks_;

  // The last members, after which this core is ready to receive.
  exchange::range_exchange column_, told_, found_;
};

}  // namespace orujo::internal::algorithms::detail
