#include "framework/engine/source_reads.hpp"

#include <algorithm>

#include "framework/engine/pack.hpp"

namespace orujo::engine {

source_reads choose_reads(const graph::vector_sparse_view& graph, const graph::edge_segment& segment,
                          std::size_t value_bytes) {
  // Where runs and others are mixed, which comes next is guessed wrong too often.
  constexpr std::size_t most_sampled = 256, parts_of_runs = 4;
  const std::size_t vectors = segment.last - segment.first, sampled = std::min(vectors, most_sampled);
  std::size_t others = 0;
  for (std::size_t k = 0; k < sampled; ++k) {
    others += names_run(isa::scalar{}, graph.edges[segment.first + vectors * k / sampled]) ? 0 : 1;
  }
  return others * parts_of_runs < sampled ? source_reads::in_runs : choose_reads(segment, value_bytes);
}

}  // namespace orujo::engine
