// Rows in the wide encoding.
#pragma once

#include <algorithm>
#include <vector>

#include "applications/engine_lab/wide_vector_sparse.hpp"
#include "tests/framework/row_store.hpp"

namespace orujo::test_graphs {

inline graph::adjacency to_adjacency(const row_store& store, bool weighted) {
  graph::adjacency rows;
  rows.offsets = machine::huge_array<std::uint64_t>(store.offsets.size());
  std::copy(store.offsets.begin(), store.offsets.end(), rows.offsets.begin());
  const std::size_t slots = store.neighbours.size() + graph::adjacency::spare_slots;
  rows.neighbours = machine::huge_array<std::uint32_t>(slots);
  std::copy(store.neighbours.begin(), store.neighbours.end(), rows.neighbours.begin());
  if (!weighted) return rows;
  rows.weights = machine::huge_array<float>(slots);
  std::copy(store.weights.begin(), store.weights.end(), rows.weights.begin());
  return rows;
}

// As encode_wide() does, outside a job; vertices [cuts[i], cuts[i + 1]) are one core's, the last is the first
// to encode.
inline graph::wide_vector_sparse encode_wide_rows(const row_store& store, bool weighted = true,
                                                  std::vector<std::size_t> cuts = {}) {
  if (cuts.empty()) cuts = {0, store.vertices()};
  const graph::adjacency rows = to_adjacency(store, weighted);
  std::vector<graph::wide_rows> parts;
  for (std::size_t i = 0; i + 1 < cuts.size(); ++i) {
    parts.push_back({rows, static_cast<std::uint32_t>(cuts[i]), static_cast<std::uint32_t>(cuts[i + 1])});
  }
  graph::wide_vector_sparse made;
  std::vector<std::size_t> counts;
  for (const graph::wide_rows& part : parts) counts.push_back(part.vectors());
  const auto largest = std::max_element(store.neighbours.begin(), store.neighbours.end());
  graph::lay_out(made, counts, store.vertices(), weighted,
                 largest == store.neighbours.end() ? 0 : *largest + 1);
  for (std::size_t i = parts.size(); i-- > 0;) parts[i].encode(made.slices[i].first, made);
  return made;
}

}  // namespace orujo::test_graphs
