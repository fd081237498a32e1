#include "framework/layout/locality.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace orujo::internal::layout {
namespace {

double log2_of_gap(std::uint64_t a, std::uint64_t b) {
  return std::log2(static_cast<double>(a > b ? a - b : b - a));
}

}  // namespace

locality measure_locality(const undirected_graph& g,
                          const std::function<std::uint64_t(std::uint64_t)>& number,
                          const std::function<std::uint64_t(std::uint64_t)>& vertex,
                          const block_levels& levels, std::size_t vertex_bytes, std::uint32_t windows) {
  locality found;
  std::vector<std::uint64_t> blocks(levels.size());
  std::uint64_t edges = 0;
  double gaps = 0;
  const std::uint64_t all = (std::uint64_t{g.vertices()} + window_vertices - 1) / window_vertices;
  const std::uint64_t looked_at = std::min<std::uint64_t>(all, windows);
  std::vector<std::uint64_t> numbers;
  for (std::uint64_t w = 0; w < looked_at; ++w) {
    const std::uint64_t first = w * all / looked_at * window_vertices;
    const std::uint64_t last = std::min<std::uint64_t>(first + window_vertices, g.vertices());
    numbers.clear();
    for (std::uint64_t k = first; k < last; ++k) {
      for (const std::uint32_t neighbour : g.of(static_cast<std::uint32_t>(vertex(k)))) {
        numbers.push_back(number(neighbour));
        gaps += log2_of_gap(k, numbers.back());
      }
    }
    edges += numbers.size();
    std::sort(numbers.begin(), numbers.end());
    for (std::size_t l = 0; l < levels.size(); ++l) {
      std::uint64_t last_block = ~std::uint64_t{0};
      for (const std::uint64_t n : numbers) {
        const std::uint64_t block = n * vertex_bytes / levels[l];
        blocks[l] += block != last_block ? 1 : 0;
        last_block = block;
      }
    }
  }
  const double per_edge = edges == 0 ? 0 : 1 / static_cast<double>(edges);
  found.log2_gap = gaps * per_edge;
  for (const std::uint64_t b : blocks) found.touched.push_back(static_cast<double>(b) * per_edge);
  return found;
}

}  // namespace orujo::internal::layout
