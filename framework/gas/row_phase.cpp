#include "framework/gas/row_phase.hpp"

#include <algorithm>
#include <vector>

namespace orujo::internal::gas::detail {
namespace {

constexpr std::size_t chunks_per_core = 32;
// Finding a chunk's rows takes some 40 cache misses; a core handles no messages while it works on one.
constexpr std::size_t longest_chunk = 65'536;

}  // namespace

vectors::edge_loops row_loops(const graph::locale_graph& g, int cores, vectors::edge_loop_options options) {
  std::vector<graph::edge_slice> slices;
  for (const graph::core_part& part : g.parts) {
    const std::uint64_t end = position(*g.in_rows, part.last);
    slices.push_back({position(*g.in_rows, part.first), end, end});
  }
  const graph::edge_segment all{0, g.own + g.mirrors, 0, slices.size(), 0, position(*g.in_rows, g.own)};
  options.chunk_vectors *= graph::edge_lanes;
  if (options.chunk_vectors == 0)
    options.chunk_vectors = std::clamp<std::size_t>(
        all.last / (chunks_per_core * static_cast<std::size_t>(cores)), 1, longest_chunk);
  return vectors::edge_loops({&all, 1}, slices, cores, options);
}

}  // namespace orujo::internal::gas::detail
