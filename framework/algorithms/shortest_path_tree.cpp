#include "framework/algorithms/shortest_path_tree.hpp"

#include <algorithm>
#include <limits>

#include "framework/graph/kept_forms.hpp"
#include "framework/graph/placed_array.hpp"
#include "system/collectives/collectives.hpp"

namespace orujo::internal::algorithms {
namespace {

constexpr std::int64_t no_parent = -1;

// Returns the first in-neighbour of v, by number, through which a shortest path leads; v itself if there is
// none. Edges are read by slot.
template <class Distance, class Edges>
std::uint32_t find_parent(const graph::adjacency& rows, const Edges& edges,
                          std::span<const Distance> distances, std::uint32_t v) {
  const Distance here = distances[v];
  const std::uint64_t last = rows.offsets[v + 1];
  for (std::uint64_t k = rows.offsets[v]; k < last; ++k) {
    const auto weight = static_cast<Distance>(edges.weight(k));
    if (weight > here) continue;  // no path with this edge is as short, whatever leads to it
    const std::uint32_t from = edges.neighbour(k);
    if (distances[from] < here && distances[from] + weight == here) return from;
  }
  return v;
}

}  // namespace

template <class Distance>
shortest_path_tree<Distance>::shortest_path_tree(const graph::locale_graph& g,
                                                 std::span<const Distance> distances)
    : graph_(graph::require_forms(g, {.in_rows = true, .in_arrays = false}, "shortest_path_tree:")),
      distances_(g.own_values(distances)),
      of_all_(graph::share_placed<Distance>(g)),
      mirrors_(g, std::span(of_all_->data(), of_all_->size())) {}

template <class Distance>
void shortest_path_tree<Distance>::write(std::span<std::int64_t> parents) {
  const graph::core_part& mine = graph_.my_part();
  (void)graph_.own_values(parents);
  std::copy(distances_.begin() + mine.first, distances_.begin() + mine.last, of_all_->data() + mine.first);
  mirrors_.start();
  mirrors_.finish();
  collectives::barrier(collectives::group::locale);
  const graph::adjacency& rows = *graph_.in_rows;
  const graph::edge_reader edges = rows.any_form();
  const std::span<const Distance> distances(of_all_->data(), of_all_->size());
  for (std::uint32_t v = mine.first; v < mine.last; ++v) {
    if (distances[v] == std::numeric_limits<Distance>::infinity()) {
      parents[v] = no_parent;
      continue;
    }
    const std::uint32_t parent = distances[v] == 0 ? v : find_parent(rows, edges, distances, v);
    parents[v] = static_cast<std::int64_t>(graph_.number_of(parent));
  }
  collectives::barrier();  // no core reads values of mirrors any more
}

template class shortest_path_tree<float>;
template class shortest_path_tree<double>;

}  // namespace orujo::internal::algorithms
