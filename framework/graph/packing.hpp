// How full the lanes of edge vectors would be, for vectors of any width: figure 9 of Grossman, Litz,
// Kozyrakis, "Making Pull-Based Graph Processing Performant", PPoPP 2018.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace orujo::internal::graph {

// Edges, and the lanes that vectors of single vertices take for them; sums over cores are those of a graph.
struct packing {
  std::uint64_t edges = 0;
  std::uint64_t lanes = 0;

  // 1 for a graph without edges.
  double efficiency() const {
    return lanes == 0 ? 1 : static_cast<double>(edges) / static_cast<double>(lanes);
  }
  void operator+=(const packing& other) {
    edges += other.edges;
    lanes += other.lanes;
  }
};

// The packing of rows offsets[i] .. offsets[i + 1] - 1, in vectors of `width` lanes. The paper's widths are
// 4, 8 and 16.
constexpr packing pack_rows(std::span<const std::uint64_t> offsets, std::size_t width) {
  packing all;
  for (std::size_t row = 0; row + 1 < offsets.size(); ++row) {
    const std::uint64_t degree = offsets[row + 1] - offsets[row];
    all += {degree, (degree + width - 1) / width * width};
  }
  return all;
}

}  // namespace orujo::internal::graph
