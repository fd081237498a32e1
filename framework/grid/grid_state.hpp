// What the parts of a search on a grid of locales work on, and how one core looks along edges; no messages.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "framework/graph/bit_set.hpp"
#include "framework/grid/grid_graph.hpp"
#include "framework/steps/dealer.hpp"
#include "framework/steps/row_pull.hpp"
#include "system/base/identity.hpp"
#include "system/machine/huge_array.hpp"
#include "system/machine/isa.hpp"
#include "system/tasks/scheduler.hpp"

namespace orujo::algorithms::detail {

using graph::bit_set;

// What the cores of a locale share. Masks of row indices begin with the range of the row's first column,
// those of column indices with that of the first row.
struct grid_state {
  explicit grid_state(const graph::locale_grid& g)
      : shape(g.shape),
        words(g.shape.range / bit_set::word_bits),
        sources(g.shape.column_size()),
        fresh(g.shape.column_size()),
        leaving(g.shape.column_size()),
        targets(g.shape.row_size()),
        pullable(g.shape.row_size()),
        found(g.shape.row_size()),
        reached(g.shape.row_size()),
        heard(g.shape.row_size()),
        known(g.shape.row_size()),
        taken(g.shape.row_size()),
        parents(g.shape.row_size()) {}

  // First word, in masks of row indices, of a locale of this row; in masks of column indices, of this column.
  std::size_t section(locale_id l) const { return static_cast<std::size_t>(shape.column_of(l)) * words; }
  std::size_t column_section(locale_id l) const { return static_cast<std::size_t>(shape.row_of(l)) * words; }

  // What can still be told, of a word of those who hear it: which vertices another locale of the column may
  // tell to be in the frontier,
  bit_set::word new_source(std::size_t w) const { return leaving.words()[w] & ~sources.words()[w]; }
  // which ones this locale may find or be told to be seen,
  bit_set::word findable(std::size_t w) const { return pullable.words()[w] & ~targets.words()[w]; }
  // and which of this locale's own another one of the row may find.
  bit_set::word unheard(std::size_t w) const { return reached.words()[w] & ~known.words()[w]; }

  const graph::grid_shape shape;
  const std::size_t words;  // of a range
  // By column index.
  bit_set sources;  // seen
  bit_set fresh;    // the frontier
  bit_set leaving;  // with out-edges, here or elsewhere
  // By row index.
  bit_set targets;   // known here to be seen; of own vertices: seen
  bit_set pullable;  // with in-edges here
  bit_set found;     // by this locale in this superstep
  // Own vertices, once for each column of the row.
  bit_set reached;  // with in-edges there: what that locale can find
  bit_set heard;    // told by the column's locale in this superstep
  bit_set known;    // to that locale as seen
  bit_set taken;    // told first by it
  // By row index: column index of the parent of what was found here. In the end own vertices have their
  // parents here, as column indices of the column that they are from.
  machine::huge_array<std::uint32_t> parents;
  // Of the two parts of a superstep's work. Three are used in turn: the first core clears the next.
  struct alignas(64) dealers {
    steps::dealer first, later;
    void reset() {
      first.reset();
      later.reset();
    }
  };
  std::array<dealers, 3> dealt;
};

// One core's part of looking along edges.
class grid_step {
  using word = bit_set::word;

 public:
  grid_step(const graph::locale_grid& g, grid_state& state) : graph_(g), state_(state) {}

  // Along the out-edges of the frontier. Shared: with other cores.
  template <bool Shared>
  void push(steps::dealer& by) {
    const graph::adjacency& rows = *graph_.by_source;
    bit_set& targets = state_.targets;
    bit_set& found = state_.found;
    std::uint32_t* const parents = state_.parents.data();
    const auto find = [&](std::uint32_t source, std::uint32_t target) {
      if constexpr (Shared) {
        if (!targets.shared_set(target)) return;
        found.shared_set(target);
      } else {
        if (targets.test(target)) return;
        targets.set(target);
        found.set(target);
      }
      parents[target] = source;
    };
    const std::span<const word> fresh = state_.fresh.words();
    share_words(fresh.size(), by, [&](std::size_t first, std::size_t last) {
      const auto words = fresh.subspan(first, last - first);
      if (std::ranges::all_of(words, [](word w) { return w == 0; })) return false;
      steps::fetch_rows(rows, first, fresh[first]);
      for (std::size_t w = first; w < last; ++w) {
        if (w + 1 < last) steps::fetch_rows(rows, w + 1, fresh[w + 1]);
        state_.fresh.for_each(w, w + 1, [&](std::size_t source) {
          const auto from = static_cast<std::uint32_t>(source);
          for (const std::uint32_t target : rows.of(from)) find(from, target);
        });
      }
      return true;
    });
  }

  // Unseen vertices of so many words look for parents; word_at() says which word is the k-th.
  template <class WordAt>
  void pull(std::size_t words, WordAt word_at, steps::dealer& by) {
    const graph::adjacency& rows = *graph_.by_target;
    const std::span<word> targets = state_.targets.words(), found = state_.found.words();
    const auto unseen = [&](std::size_t w) { return state_.pullable.words()[w] & ~targets[w]; };
    const auto fetch = [&](std::size_t k) { steps::fetch_rows(rows, word_at(k), unseen(word_at(k))); };
    share_words(words, by, [&](std::size_t first, std::size_t last) {
      fetch(first);
      for (std::size_t k = first; k < last; ++k) {
        if (k + 1 < last) fetch(k + 1);
        const std::size_t w = word_at(k);
        found[w] = steps::pull_word(rows, state_.sources, w, unseen(w),
                                    state_.parents.data() + w * bit_set::word_bits);
        targets[w] |= found[w];
      }
      return true;
    });
  }

 private:
  // Words of a mask at a time. After each chunk messages are handled, which may cost a system call.
  static constexpr std::size_t most_words_of_chunk = 256;

  // Calls work(first, last), which says whether there was any, for chunks of so many words that the locale's
  // cores take in turn.
  template <class Work>
  void share_words(std::size_t words, steps::dealer& by, Work work) const {
    const auto cores = static_cast<std::size_t>(my_locales_cores());
    const std::size_t chunk = std::clamp<std::size_t>(words / (cores * 64), 1, most_words_of_chunk);
    by.deal(words, chunk, [&](std::size_t first, std::size_t last) {
      if (machine::compiled_for(isa_, [&] { return work(first, last); })) tasks::yield();
    });
  }

  const graph::locale_grid& graph_;
  grid_state& state_;
  const machine::instruction_set isa_ = machine::simd_from_flags();
};

}  // namespace orujo::algorithms::detail
