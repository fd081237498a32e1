// Rows in the wide encoding, and what becomes of them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "applications/engine_lab/wide_vector_sparse.hpp"
#include "tests/framework/row_store.hpp"

namespace orujo::internal::test_graphs {

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

// The first lanes are valid, with neighbours below the bound, the others are empty; at least one is valid.
inline bool is_well_formed(const graph::wide_edge_vector& vector, std::uint64_t local_indices) {
  bool ended = false;
  for (std::size_t i = 0; i < graph::wide_edge_lanes; ++i) {
    const bool valid = is_valid(vector, i);
    if ((vector.lane[i] & ~(graph::wide_valid_bit | graph::wide_piece_mask | graph::wide_id_mask)) != 0)
      return false;
    if (valid ? ended || neighbour(vector, i) >= local_indices : neighbour(vector, i) != 0) return false;
    ended = !valid;
  }
  return is_valid(vector, 0);
}

// The first fault of the layout, difference of a top-level vertex from the vertex index, or neighbour that is
// not below local_indices. Empty if there is none.
inline std::string fault_of(const graph::wide_vector_sparse_view& view, std::uint64_t local_indices) {
  const auto at = [](std::size_t vector, const char* what) {
    return "vector " + std::to_string(vector) + " " + what;
  };
  const std::size_t vectors = view.edges.size();
  if (!view.weights.empty() && view.weights.size() != vectors) return at(vectors, "has no weights");
  if (view.first_vector.empty() || view.first_vector.front() != 0 || view.first_vector.back() != vectors)
    return at(vectors, "ends the vertex index");
  for (std::size_t v = 0; v + 1 < view.first_vector.size(); ++v) {
    const std::uint64_t first = view.first_vector[v], last = view.first_vector[v + 1];
    if (last < first || last > vectors) return at(first, "begins a vertex whose end is before it");
    for (std::uint64_t k = first; k < last; ++k) {
      const graph::wide_edge_vector& vector = view.edges[k];
      if (!is_well_formed(vector, local_indices)) return at(k, "has an impossible lane");
      if (top_level(vector) != v) return at(k, "names another top-level vertex than the vertex index");
      if (k + 1 < last && !is_valid(vector, graph::wide_edge_lanes - 1))
        return at(k, "has room, but its vertex goes on");
    }
  }
  std::size_t next = 0;
  for (const graph::edge_slice& slice : view.slices) {
    if (slice.first != next || slice.last < next || slice.bundles != slice.last)
      return at(next, "begins a slice that does not follow the one before");
    next = slice.last;
  }
  if (next != vectors) return at(next, "is in no slice");
  return {};
}

// Calls visit(top-level vertex, neighbour, weight) for every edge in the order of the vectors.
template <class Visit>
void for_each_edge(const graph::wide_vector_sparse_view& view, Visit visit) {
  for (std::size_t k = 0; k < view.edges.size(); ++k) {
    for (std::size_t i = 0; i < graph::wide_edge_lanes; ++i) {
      if (!is_valid(view.edges[k], i)) continue;
      visit(top_level(view.edges[k]), neighbour(view.edges[k], i),
            view.weights.empty() ? 1.0f : view.weights[k].lane[i]);
    }
  }
}

}  // namespace orujo::internal::test_graphs
