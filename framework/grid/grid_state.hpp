// Masks and parents that all parts of a search on a grid of locales use.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "framework/graph/bit_set.hpp"
#include "framework/grid/grid_graph.hpp"
#include "framework/steps/dealer.hpp"
#include "system/base/identity.hpp"
#include "system/machine/huge_array.hpp"

namespace orujo::internal::algorithms::detail {

using graph::bit_set;

// State that the cores of a locale share. Masks of row indices begin with the range of the row's first
// column, masks of column indices with that of the first row.
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

  // These bound the bits of a word in a message, for the locale that receives it. Returns the vertices that
  // another locale of the column may still send as the frontier.
  bit_set::word new_source(std::size_t w) const { return leaving.words()[w] & ~sources.words()[w]; }
  // Returns the vertices that this locale may still find, or receive as seen.
  bit_set::word findable(std::size_t w) const { return pullable.words()[w] & ~targets.words()[w]; }
  // Returns the own vertices of this locale that another locale of the row may still find.
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
  bit_set heard;    // received from the column's locale in this superstep
  bit_set known;    // to that locale as seen
  bit_set taken;    // received first from it
  // By row index: column indices of the parents of vertices found here. In the end own vertices have their
  // parents here, as indices of the column that reported them.
  machine::huge_array<std::uint32_t> parents;
  // The two parts of a superstep's work. Three objects are used in turn: the first core clears the next.
  struct alignas(64) dealers {
    steps::dealer first, later;
    void reset() {
      first.reset();
      later.reset();
    }
  };
  std::array<dealers, 3> dealt;
};

}  // namespace orujo::internal::algorithms::detail
