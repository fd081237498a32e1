// Vertices that search their in-edges for a member of a set, 64 at a time.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include "framework/graph/adjacency.hpp"
#include "framework/graph/bit_set.hpp"

namespace orujo::internal::steps {

using graph::bit_set;

// Word w stands for the vertices of rows 64 w .. 64 w + 63. `looking` has the bits of the vertices that
// search.

inline void fetch_rows(const graph::adjacency& rows, std::size_t w, bit_set::word looking) {
  const std::uint64_t* const offsets = rows.offsets.data() + w * bit_set::word_bits;
  for (; looking != 0; looking &= looking - 1)
    __builtin_prefetch(rows.neighbours.data() + offsets[std::countr_zero(looking)]);
}

// Returns the bits of the vertices that have a neighbour in `sources`, and writes the first such neighbour to
// parents[bit]. The parents of other vertices are undefined. Rows of vertices that search are not empty.
//
// First all of them test their first neighbour, without a branch that the processor could not predict. Then
// those without a parent test the rest of their rows one by one.
inline bit_set::word pull_word(const graph::adjacency& rows, const bit_set& sources, std::size_t w,
                               bit_set::word looking, std::uint32_t* parents) {
  const std::uint64_t* const offsets = rows.offsets.data() + w * bit_set::word_bits;
  const std::uint32_t* const neighbours = rows.neighbours.data();
  bit_set::word children = 0;
  for (bit_set::word rest = looking; rest != 0; rest &= rest - 1) {
    const int bit = std::countr_zero(rest);
    parents[bit] = neighbours[offsets[bit]];
    children |= static_cast<bit_set::word>(sources.test(parents[bit])) << bit;
  }
  for (bit_set::word rest = looking & ~children; rest != 0; rest &= rest - 1) {
    const int bit = std::countr_zero(rest);
    const std::uint64_t end = offsets[bit + 1];
    for (std::uint64_t e = offsets[bit] + 1; e < end; ++e) {
      if (!sources.test(neighbours[e])) continue;
      parents[bit] = neighbours[e];
      children |= bit_set::word{1} << bit;
      break;
    }
  }
  return children;
}

}  // namespace orujo::internal::steps
