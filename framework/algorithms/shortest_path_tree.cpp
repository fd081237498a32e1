#include "framework/algorithms/shortest_path_tree.hpp"

#include <algorithm>
#include <limits>

#include "system/loops/collectives.hpp"

namespace orujo::algorithms {
namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr std::int64_t no_parent = -1;

std::shared_ptr<machine::huge_array<float>> share_distances(const graph::locale_graph& g) {
  return loops::share_on_locale<machine::huge_array<float>>(
      [&] { return std::make_shared<machine::huge_array<float>>(std::size_t{g.own} + g.mirrors); });
}

// The first in-neighbour of v, by local index, through which its distance is what it is; v itself if none.
std::uint32_t find_parent(const graph::adjacency& rows, std::span<const float> distances, std::uint32_t v) {
  const auto leads = [&](std::uint32_t from, float weight) {
    return distances[from] < distances[v] && distances[from] + weight == distances[v];
  };
  for (std::uint64_t k = rows.offsets[v]; k < rows.offsets[v + 1]; ++k) {
    const graph::arc in = rows.arcs.size() != 0 ? rows.arcs[k]
                                                : graph::arc{rows.neighbours[k],
                                                             rows.weights.size() != 0 ? rows.weights[k] : 1};
    if (leads(in.neighbour, in.weight)) return in.neighbour;
  }
  return v;
}

}  // namespace

shortest_path_tree::shortest_path_tree(const graph::locale_graph& g, std::span<const float> distances)
    : graph_(g),
      distances_(g.own_values(distances)),
      of_all_(share_distances(g)),
      mirrors_(g, std::span(of_all_->data(), of_all_->size())) {}

void shortest_path_tree::write(std::span<std::int64_t> parents) {
  const graph::core_part& mine = graph_.my_part();
  (void)graph_.own_values(parents);
  std::copy(distances_.begin() + mine.first, distances_.begin() + mine.last, of_all_->data() + mine.first);
  mirrors_.start();
  mirrors_.finish();
  loops::barrier(loops::group::locale);
  const graph::adjacency& rows = graph_.in_rows ? *graph_.in_rows : *graph_.out_rows;
  const std::span<const float> distances(of_all_->data(), of_all_->size());
  for (std::uint32_t v = mine.first; v < mine.last; ++v) {
    if (distances[v] == infinity) {
      parents[v] = no_parent;
      continue;
    }
    const std::uint32_t parent = distances[v] == 0 ? v : find_parent(rows, distances, v);
    parents[v] = static_cast<std::int64_t>(graph_.number_of(parent));
  }
  loops::barrier();  // nobody reads mirrors' values any more
}

}  // namespace orujo::algorithms
