// Eccentricities computed serially.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "framework/verify/simple_graph.hpp"

namespace orujo::internal::verify {

struct expected_eccentricities {
  std::vector<std::int32_t> of_source;  // greatest distance of a vertex that it reaches
  std::vector<std::int32_t> farthest;   // by vertex: greatest distance from a source; -1 from none
};

// Computed by one breadth-first search after the other. sources: vertices.
expected_eccentricities find_eccentricities(const simple_graph& graph, std::span<const std::size_t> sources);

}  // namespace orujo::internal::verify
