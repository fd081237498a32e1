#include "framework/gas/row_phase.hpp"

#include <vector>

namespace orujo::gas::detail {

engine::edge_loops row_loops(const graph::locale_graph& g, int cores, engine::edge_loop_options options) {
  std::vector<graph::edge_slice> slices;
  for (const graph::core_part& part : g.parts) {
    const std::uint64_t end = position(*g.in_rows, part.last);
    slices.push_back({position(*g.in_rows, part.first), end, end});
  }
  const graph::edge_segment all{0, g.own + g.mirrors, 0, slices.size(), 0, position(*g.in_rows, g.own)};
  options.chunk_vectors *= graph::edge_lanes;
  return engine::edge_loops({&all, 1}, slices, cores, options);
}

}  // namespace orujo::gas::detail
