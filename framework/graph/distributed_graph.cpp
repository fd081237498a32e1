#include "framework/graph/distributed_graph.hpp"

#include "system/loops/forall.hpp"

namespace orujo::internal::graph {

bool rows_ascend(const locale_graph& g, const adjacency& rows, const core_part& vertices) {
  const edge_reader edges = rows.any_form();
  for (std::uint32_t v = vertices.first; v < vertices.last; ++v) {
    for (std::uint64_t k = rows.offsets[v] + 1; k < rows.offsets[v + 1]; ++k) {
      if (g.number_of(edges.neighbour(k - 1)) > g.number_of(edges.neighbour(k))) return false;
    }
  }
  return true;
}

void distributed_graph::destroy() const { parts_.destroy(); }

}  // namespace orujo::internal::graph
