// The masks and parents that all parts of a search on a grid of locales work on.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "framework/graph/bit_set.hpp"
#include "framework/grid/grid_graph.hpp"
#include "framework/steps/dealer.hpp"
#include "system/base/identity.hpp"
#include "system/machine/huge_array.hpp"

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

}  // namespace orujo::algorithms::detail
