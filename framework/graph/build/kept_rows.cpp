#include "framework/graph/build/kept_rows.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

#include "system/collectives/collectives.hpp"
#include "system/machine/topology.hpp"

namespace orujo::internal::graph {

std::shared_ptr<adjacency> keep_rows(const rows& mine, std::size_t first, std::size_t row_count,
                                     row_weights weights) {
  const std::vector<std::uint64_t> edges = collectives::all_gather(mine.edges(), collectives::group::locale);
  const std::uint64_t first_edge =
      std::accumulate(edges.begin(), edges.begin() + my_core_of_locale(), std::uint64_t{0});
  const auto kept = collectives::share_on_locale<adjacency>([&] {
    const std::size_t slots =
        std::accumulate(edges.begin(), edges.end(), std::uint64_t{0}) + adjacency::spare_slots;
    auto made = std::make_shared<adjacency>();
    made->offsets = machine::huge_array<std::uint64_t>(row_count + 1);
    if (weights == row_weights::arcs) made->arcs = machine::huge_array<arc>(slots);
    if (weights != row_weights::arcs) made->neighbours = machine::huge_array<std::uint32_t>(slots);
    if (weights == row_weights::parallel) made->weights = machine::huge_array<float>(slots);
    return made;
  });
  const auto place = [&](const auto& all) {
    if (all.size() > 0) machine::place_here(all.part(first_edge, first_edge + mine.edges()));
  };
  place(kept->arcs);
  place(kept->neighbours);
  place(kept->weights);
  machine::place_here(kept->offsets.part(first, first + mine.vertices()));
  for (std::uint64_t row = 0; row < mine.vertices(); ++row)
    kept->offsets[first + row + 1] = first_edge + mine.offsets[row + 1];
  if (weights == row_weights::arcs) {
    for (std::uint64_t k = 0; k < mine.edges(); ++k)
      kept->arcs[first_edge + k] = {mine.neighbours[k], mine.weights[k]};
  } else {
    std::copy_n(mine.neighbours.begin(), mine.edges(), kept->neighbours.begin() + first_edge);
    if (weights == row_weights::parallel)
      std::copy_n(mine.weights.begin(), mine.edges(), kept->weights.begin() + first_edge);
  }
  collectives::barrier(collectives::group::locale);
  return kept;
}

}  // namespace orujo::internal::graph
