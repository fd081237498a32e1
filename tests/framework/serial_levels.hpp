// Distances of the vertices of a test graph from one of them.
#pragma once

#include <cstdint>
#include <vector>

#include "tests/framework/job_graph.hpp"

namespace orujo::internal::test_graphs {

// By vertex number; `unreached` is larger than every level.
inline std::vector<std::uint32_t> serial_levels(const expected_graph& graph, std::uint64_t source,
                                                std::uint32_t unreached) {
  std::vector<std::uint32_t> level(graph.ids.size(), unreached);
  level.at(source) = 0;
  for (bool changed = true; changed;) {
    changed = false;
    for (const plain_edge& e : graph.edges) {
      if (level[e.source] == unreached || level[e.source] + 1 >= level[e.target]) continue;
      level[e.target] = level[e.source] + 1;
      changed = true;
    }
  }
  return level;
}

}  // namespace orujo::internal::test_graphs
