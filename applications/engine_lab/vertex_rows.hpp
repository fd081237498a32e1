// In-edges vertex by vertex, for loops that deal vertices to the cores instead of vectors of edges. These are
// the loops of Bak, Guo, Balaji, Sarkar, ICPP 2019, where an iteration's work is its vertex's in-degree.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>

#include "framework/graph/adjacency.hpp"
#include "framework/graph/vector_sparse.hpp"
#include "system/loops/schedule.hpp"

namespace orujo::internal::engine_lab {

// The policy of usersched and usersched_profiled. Chunks have a fixed number of vertices, and their load is
// the number of edges that they read. Alternatively chunks end with the vertex that reaches a given load.
struct in_degrees {
  std::shared_ptr<const graph::adjacency> rows;
  std::size_t vertices = 0;  // 0: by load
  std::uint64_t load = 1;

  loops::inspected inspect(std::size_t first, std::size_t last) const {
    const std::size_t end =
        vertices > 0 ? first + std::min(vertices, last - first) : end_by_load(first, last);
    return {end, static_cast<double>(load_before(end) - load_before(first))};
  }
  // In-edges, and one for the vertex itself.
  std::uint64_t load_before(std::size_t vertex) const { return rows->offsets[vertex] + vertex; }

 private:
  std::size_t end_by_load(std::size_t first, std::size_t last) const {
    const std::uint64_t enough = load_before(first) + load;
    std::size_t low = first + 1, high = last;  // the first end that is enough, or last
    while (low < high) {
      const std::size_t middle = low + (high - low) / 2;
      if (load_before(middle) < enough)
        low = middle + 1;
      else
        high = middle;
    }
    return low;
  }
};

struct vertex_rows {
  struct {
    std::span<const graph::edge_segment> segments;
    std::span<const graph::edge_slice> slices;
  } view = {};  // there are no vectors
  std::shared_ptr<const graph::adjacency> rows;
  loops::schedule how;
};

template <class Edges>
inline constexpr bool deals_vertices = false;
template <>
inline constexpr bool deals_vertices<vertex_rows> = true;

}  // namespace orujo::internal::engine_lab
