#include "framework/verify/random_walks_oracle.hpp"

#include <cstddef>

#include "system/base/random.hpp"

namespace orujo::verify {

std::vector<std::uint64_t> count_visits(const simple_graph& graph, const walk_plan& plan) {
  const std::size_t vertices = graph.vertex_count();
  std::vector<std::uint64_t> visits(vertices, 0);
  if (vertices == 0) return visits;
  const bool drawn = plan.walks > 0;
  const std::uint64_t walks = drawn ? plan.walks : vertices * plan.per_vertex;
  for (std::uint64_t w = 0; w < walks; ++w) {
    random_stream random(plan.seed, w);
    std::size_t at = drawn ? random.below(vertices) : w / plan.per_vertex;
    ++visits[at];
    for (std::uint32_t step = 0; step < plan.length && graph.out_degree(at) > 0; ++step) {
      at = graph.out_neighbors(at)[random.below(graph.out_degree(at))];
      ++visits[at];
    }
  }
  return visits;
}

}  // namespace orujo::verify
