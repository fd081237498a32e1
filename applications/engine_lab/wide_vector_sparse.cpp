#include "applications/engine_lab/wide_vector_sparse.hpp"

#include "system/collectives/collectives.hpp"

namespace orujo::internal::graph {
namespace {

std::uint64_t wide_vectors_for(std::uint64_t degree) {
  return (degree + wide_edge_lanes - 1) / wide_edge_lanes;
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
  const std::vector<std::size_t> counts = collectives::all_gather(mine.vectors(), collectives::group::locale);
  const auto made = collectives::share_on_locale<wide_vector_sparse>([&] {
    auto shared = std::make_shared<wide_vector_sparse>();
    lay_out(*shared, counts, rows.offsets.size() - 1, rows.weights.size() != 0, local_indices);
    return shared;
  });
  mine.encode(made->slices[static_cast<std::size_t>(my_core_of_locale())].first, *made);
  collectives::barrier(collectives::group::locale);
  return made;
}

}  // namespace orujo::internal::graph
