#include "framework/verify/eccentricities_oracle.hpp"

#include <algorithm>

#include "framework/verify/breadth_first_search_oracle.hpp"

namespace orujo::internal::verify {

expected_eccentricities find_eccentricities(const simple_graph& graph, std::span<const std::size_t> sources) {
  expected_eccentricities expected{{}, std::vector<std::int32_t>(graph.vertex_count(), -1)};
  for (const std::size_t source : sources) {
    const std::vector<std::int64_t> levels = search_levels(graph, source);
    expected.of_source.push_back(static_cast<std::int32_t>(std::ranges::max(levels)));
    for (std::size_t v = 0; v < levels.size(); ++v)
      expected.farthest[v] = std::max(expected.farthest[v], static_cast<std::int32_t>(levels[v]));
  }
  return expected;
}

}  // namespace orujo::internal::verify
