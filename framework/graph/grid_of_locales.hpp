// The locales of a job as a grid, in which a locale communicates with those of its row and its column only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "system/base/by_core.hpp"

namespace orujo::internal::graph {

struct grid_of_locales {
  int rows = 1, columns = 1;
  std::vector<locale_id> locale_at;  // by place, which is row * columns + column
  by_locale<int> place_of_locale;    // the inverse

  // The grid is as square as the number of locales permits. Locales of a node are neighbours in a row, which
  // exchanges more than a column. There are at least as many columns as rows, unless only the transposed grid
  // has its rows within nodes. `nodes` is by locale, with equal values for those on one node.
  static grid_of_locales choose(const by_locale<std::uint64_t>& nodes);

  locale_id at(int row, int column) const {
    return locale_at[static_cast<std::size_t>(row) * static_cast<std::size_t>(columns) +
                     static_cast<std::size_t>(column)];
  }
  int row_of(locale_id l) const { return place_of_locale[l] / columns; }
  int column_of(locale_id l) const { return place_of_locale[l] % columns; }
};

// [task; suspends; collective over the job] Returns a value per locale, which is the same for locales of one
// node.
by_locale<std::uint64_t> nodes_of_locales();

}  // namespace orujo::internal::graph
