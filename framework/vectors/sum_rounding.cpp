#include "framework/vectors/sum_rounding.hpp"

#include <algorithm>

#include "system/collectives/collectives.hpp"

namespace orujo::internal::vectors {
namespace {

sum_shape shape_of(const graph::locale_graph& g) {
  const graph::vector_sparse_view edges = g.in_edges();
  sum_shape shape{edges.segments.size(), 0, 0};
  for (const graph::core_part& part : g.parts) {
    const auto there =
        std::ranges::count_if(part.guests_at, [](const auto& guests) { return !guests.empty(); });
    shape.guest_totals = std::max(shape.guest_totals, static_cast<std::size_t>(there));
  }
  for (const graph::edge_slice& slice : edges.slices) {
    for (std::size_t k = slice.bundles; k < slice.last; ++k)
      shape.deepest_bundle = std::max(shape.deepest_bundle, graph::bundle_depth(edges.edges[k]));
  }
  return shape;
}

}  // namespace

sum_shape shape_of_sums(graph::distributed_graph graph) {
  return loops::on_all_cores([=] {
    const sum_shape mine = leads_locale() ? shape_of(graph.here()) : sum_shape{};
    return collectives::all_reduce(mine, [](const sum_shape& a, const sum_shape& b) {
      return sum_shape{std::max(a.segments, b.segments), std::max(a.deepest_bundle, b.deepest_bundle),
                       std::max(a.guest_totals, b.guest_totals)};
    });
  });
}

}  // namespace orujo::internal::vectors
