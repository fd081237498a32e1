#include "applications/engine_lab/wide_vector_sparse.hpp"

#include <fmt/format.h>

#include "system/loops/collectives.hpp"

namespace orujo::graph {
namespace {

status broken_at(std::size_t vector, const char* what) {
  return {exit_status::bad_data,
          fmt::format("wide Vector-Sparse: vector {} {}; encode the graph again", vector, what)};
}

std::uint64_t wide_vectors_for(std::uint64_t degree) {
  return (degree + wide_edge_lanes - 1) / wide_edge_lanes;
}

// The first lanes are valid, with neighbours below the bound, the others are empty; at least one is valid.
bool is_well_formed(const wide_edge_vector& vector, std::uint64_t local_indices) {
  bool ended = false;
  for (std::size_t i = 0; i < wide_edge_lanes; ++i) {
    const bool valid = is_valid(vector, i);
    if ((vector.lane[i] & ~(wide_valid_bit | wide_piece_mask | wide_id_mask)) != 0) return false;
    if (valid ? ended || neighbour(vector, i) >= local_indices : neighbour(vector, i) != 0) return false;
    ended = !valid;
  }
  return is_valid(vector, 0);
}

}  // namespace

std::size_t wide_rows::vectors() const {
  std::size_t all = 0;
  for (std::uint32_t v = first; v < last; ++v) all += wide_vectors_for(rows.degree(v));
  return all;
}

void wide_rows::encode(std::size_t at, const wide_vector_sparse& to) const {
  const bool weighted = to.weights.size() != 0;
  for (std::uint32_t v = first; v < last; ++v) {
    const std::uint64_t end = rows.offsets[v + 1];
    for (std::uint64_t k = rows.offsets[v]; k < end; k += wide_edge_lanes, ++at) {
      wide_edge_vector& vector = to.edges[at];
      for (std::size_t i = 0; i < wide_edge_lanes; ++i) {
        const bool valid = k + i < end;
        vector.lane[i] = wide_piece(v, i) | (valid ? wide_valid_bit | rows.neighbours[k + i] : 0);
        if (weighted) to.weights[at].lane[i] = valid ? rows.weights[k + i] : 0;
      }
    }
    to.first_vector[v + 1] = at;
  }
}

void lay_out(wide_vector_sparse& graph, std::span<const std::size_t> counts, std::size_t vertices,
             bool weighted, std::uint32_t local_indices) {
  std::size_t at = 0;
  for (const std::size_t count : counts) {
    graph.slices.push_back({at, at + count, at + count});
    at += count;
  }
  graph.segments.push_back({0, local_indices, 0, counts.size(), 0, at});
  graph.edges = machine::huge_array<wide_edge_vector>(at);
  graph.weights = machine::huge_array<wide_weight_vector>(weighted ? at : 0);
  graph.first_vector = machine::huge_array<std::uint64_t>(vertices + 1);
}

std::shared_ptr<const wide_vector_sparse> encode_wide(const adjacency& rows, std::uint32_t first,
                                                      std::uint32_t last, std::uint32_t local_indices) {
  const wide_rows mine{rows, first, last};
  const std::vector<std::size_t> counts = loops::all_gather(mine.vectors(), loops::group::locale);
  const auto made = loops::share_on_locale<wide_vector_sparse>([&] {
    auto shared = std::make_shared<wide_vector_sparse>();
    lay_out(*shared, counts, rows.offsets.size() - 1, rows.weights.size() != 0, local_indices);
    return shared;
  });
  mine.encode(made->slices[static_cast<std::size_t>(my_core_of_locale())].first, *made);
  loops::barrier(loops::group::locale);
  return made;
}

status validate(const wide_vector_sparse_view& graph, std::uint64_t local_indices) {
  const std::size_t vectors = graph.edges.size();
  if (!graph.weights.empty() && graph.weights.size() != vectors) return broken_at(vectors, "has no weights");
  if (graph.first_vector.empty() || graph.first_vector.front() != 0 || graph.first_vector.back() != vectors)
    return broken_at(vectors, "ends the vertex index");
  for (std::size_t v = 0; v + 1 < graph.first_vector.size(); ++v) {
    const std::uint64_t first = graph.first_vector[v], last = graph.first_vector[v + 1];
    if (last < first || last > vectors) return broken_at(first, "begins a vertex whose end is before it");
    for (std::uint64_t k = first; k < last; ++k) {
      const wide_edge_vector& vector = graph.edges[k];
      if (!is_well_formed(vector, local_indices)) return broken_at(k, "has an impossible lane");
      if (top_level(vector) != v) return broken_at(k, "names another top-level vertex than the vertex index");
      if (k + 1 < last && !is_valid(vector, wide_edge_lanes - 1))
        return broken_at(k, "has room, but its vertex goes on");
    }
  }
  std::size_t at = 0;
  for (const edge_slice& slice : graph.slices) {
    if (slice.first != at || slice.last < at || slice.bundles != slice.last)
      return broken_at(at, "begins a slice that does not follow the one before");
    at = slice.last;
  }
  if (at != vectors) return broken_at(at, "is in no slice");
  return {};
}

}  // namespace orujo::graph
