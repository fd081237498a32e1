#include "framework/verify/cliques_oracle.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>

namespace orujo::internal::verify {
namespace {

// Adds vertices of `next`, neighbours of all chosen ones above these, until `missing` more are chosen.
void extend(const simple_graph& graph, std::vector<std::size_t>& chosen, const std::vector<std::size_t>& next,
            int missing, std::vector<std::uint64_t>& counts) {
  if (missing == 0) {
    for (const std::size_t v : chosen) ++counts[v];
    return;
  }
  for (const std::size_t v : next) {
    const auto around = graph.out_neighbors(v);
    std::vector<std::size_t> common;
    std::set_intersection(std::upper_bound(next.begin(), next.end(), v), next.end(), around.begin(),
                          around.end(), std::back_inserter(common));
    chosen.push_back(v);
    extend(graph, chosen, common, missing - 1, counts);
    chosen.pop_back();
  }
}

}  // namespace

std::vector<std::uint64_t> cliques(const simple_graph& graph, int size) {
  std::vector<std::uint64_t> counts(graph.vertex_count());
  std::vector<std::size_t> all(graph.vertex_count()), chosen;
  for (std::size_t v = 0; v < all.size(); ++v) all[v] = v;
  extend(graph, chosen, all, size, counts);
  return counts;
}

}  // namespace orujo::internal::verify
