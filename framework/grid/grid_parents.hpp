// The parents of a search on a grid of locales. Owners fetch them at its end from the locales that found the
// vertices.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "framework/exchange/packed_values.hpp"
#include "framework/grid/grid_state.hpp"
#include "framework/grid/range_exchange.hpp"
#include "system/collectives/collectives.hpp"

namespace orujo::internal::algorithms::detail {

// One core's part; made and used by one task per core. Owners request the parents of a set of vertices, and
// receive column indices, each packed into the bits that a column index needs.
class grid_parents {
  using word = bit_set::word;

 public:
  // [task; suspends; collective over the job] `row_mates` are the other locales of this one's row.
  grid_parents(const graph::locale_grid& g, grid_state& state, std::vector<locale_id> row_mates,
               const exchange::codec_options& codecs)
      : graph_(g),
        state_(state),
        codecs_(codecs),
        wanted_(
            std::move(row_mates), state.words,
            [this](locale_id from, std::size_t w, word bits) {
              state_.found.words()[state_.section(from) + w] = bits;
            },
            codecs,
            [this](locale_id from, std::size_t w) {
              return state_.pullable.words()[state_.section(from) + w];
            }),
        expected_(exchange::elements_received(wanted_.peers(), state.words)),
        ends_(collectives::all_gather(this)) {}
  grid_parents(const grid_parents&) = delete;

  // [task; suspends; collective over the locales of the row] Follows a collective over the job. The locale's
  // cores have all parents after another barrier. An owner requests the parent of a vertex from the locale
  // that reported the vertex first. The mask of found vertices is free at this time, and takes the requests.
  void fetch() {
    const auto mine_of = [&](const bit_set& mask, locale_id l) {
      return mask.words().subspan(state_.section(l) + wanted_.my_words().first, wanted_.my_words().size());
    };
    for (const locale_id l : wanted_.peers())
      wanted_.send(l, mine_of(state_.taken, l), mine_of(state_.reached, l));
    wanted_.await();
    collectives::barrier(collectives::group::locale);
    for (const locale_id l : wanted_.peers()) send_parents(l);
    while (arrived_ < expected_) tasks::scheduler::here()->suspend(waiting_, "parents from the locale's row");
    arrived_ -= expected_;
  }

  // Bytes that this core has sent since forget_bytes().
  exchange::byte_counts bytes() const {
    exchange::byte_counts all = sent_;
    return all += wanted_.bytes();
  }
  void forget_bytes() {
    sent_ = {};
    wanted_.forget_bytes();
  }

  // Returns the number of the parent of an own vertex.
  std::uint64_t parent_of(std::uint32_t vertex) const {
    int column = graph_.column;
    for (const locale_id l : wanted_.peers()) {
      if (state_.taken.test(state_.section(l) * bit_set::word_bits + vertex))
        column = graph_.shape.column_of(l);
    }
    return graph_.shape.vertex_of_column(
        column, state_.parents[state_.section(my_locale()) * bit_set::word_bits + vertex]);
  }

 private:
  // Parents of own vertices of the words first, first + 1, .. that were taken from a column.
  struct unpack_parents {
    grid_parents* there;
    std::uint32_t first, words, width;
    int column;
    void operator()(std::span<const std::byte> payload) const { there->take_parents(*this, payload); }
  };
  static constexpr std::size_t parents_bytes =
      messages::messenger::max_payload_bytes(sizeof(unpack_parents)) - sizeof(std::uint64_t);

  // Returns the bits of a column index if indices are compressed, else 32.
  unsigned parent_width(core_id to) const {
    const bool plain = codecs_.wanted == 0 || (codecs_.wanted < 0 && mates_.contain(to));
    return plain ? 32u : static_cast<unsigned>(std::bit_width(graph_.shape.column_size() - 1));
  }

  void send_parents(locale_id l) {
    const core_id to = shape().partner(my_core(), l);
    const unsigned width = parent_width(to);
    const std::size_t most = parents_bytes * 8 / width, last = wanted_.my_words().last;
    const std::span<const word> wanted = state_.found.words().subspan(state_.section(l), state_.words);
    const std::uint32_t* const parents = state_.parents.data() + state_.section(l) * bit_set::word_bits;
    for (std::size_t first = wanted_.my_words().first, w = first; first < last; first = w) {
      values_.clear();
      for (; w < last && values_.size() + static_cast<std::size_t>(std::popcount(wanted[w])) <= most; ++w) {
        for (word rest = wanted[w]; rest != 0; rest &= rest - 1)
          values_.push_back(
              parents[w * bit_set::word_bits + static_cast<std::size_t>(std::countr_zero(rest))]);
      }
      exchange::pack_values(values_, width, packed_);
      sent_ += {values_.size() * sizeof(std::uint64_t), packed_.size()};
      messages::messenger::here().send_with_payload(
          to,
          unpack_parents{ends_[to], static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(w - first),
                         width, graph_.column},
          packed_);
    }
    messages::messenger::here().flush(to);
  }

  // Called by a message handler.
  void take_parents(const unpack_parents& what, std::span<const std::byte> payload) {
    const std::size_t from = static_cast<std::size_t>(what.column) * state_.words + what.first;
    std::uint32_t* const parents =
        state_.parents.data() + (state_.section(my_locale()) + what.first) * bit_set::word_bits;
    std::size_t k = 0;
    state_.taken.for_each(from, from + what.words, [&](std::size_t at) {
      parents[at - from * bit_set::word_bits] = exchange::packed_value(payload, k++, what.width);
    });
    arrived_ += what.words;
    tasks::scheduler::here()->wake_all(waiting_);
  }

  const graph::locale_grid& graph_;
  grid_state& state_;
  const exchange::codec_options codecs_;
  const exchange::node_mates mates_;
  exchange::byte_counts sent_;
  std::vector<std::uint32_t> values_;
  std::vector<std::byte> packed_;
  std::uint64_t arrived_ = 0;
  tasks::wait_queue waiting_;
  // The last members, after which this core is ready to receive.
  exchange::range_exchange wanted_;
  const std::uint64_t expected_;  // words
  const by_core<grid_parents*> ends_;
};

}  // namespace orujo::internal::algorithms::detail
