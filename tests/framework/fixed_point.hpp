// A serial computation of what programs come to that go on until nothing changes.
#pragma once

#include <vector>

#include "tests/framework/job_graph.hpp"

namespace orujo::internal::test_graphs {

// Starts every vertex with start(number), and follows all edges until none changes its target. along(shown,
// weight) is the value that an edge carries, and better(brought, shown) decides whether the target takes it.
template <class T, class Start, class Along, class Better>
std::vector<T> fixed_point(const expected_graph& graph, Start start, Along along, Better better) {
  std::vector<T> shown;
  for (std::size_t v = 0; v < graph.ids.size(); ++v) shown.push_back(start(v));
  for (bool changed = true; changed;) {
    changed = false;
    for (const auto& e : graph.edges) {
      const T told = along(shown[e.source], e.weight);
      if (!better(told, shown[e.target])) continue;
      shown[e.target] = told;
      changed = true;
    }
  }
  return shown;
}

}  // namespace orujo::internal::test_graphs
