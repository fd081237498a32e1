// Graphs without chance: meshes, trees, paths, stars, complete graphs.
#include <cmath>

#include "framework/generators/kinds.hpp"

namespace orujo::internal::generators {

// Edges come plane after plane, and within a plane row after row. A row has its edges to the right and then
// those down, except the last row of a plane. The edges to the next plane follow.
void make_mesh(const generator_spec& spec, std::uint64_t first, std::span<edge> out) {
  const std::uint64_t width = spec.width, plane = width * spec.height;
  const std::uint64_t of_row = 2 * width - 1, within = of_row * spec.height - width,
                      of_plane = within + plane;
  for (edge& e : out) {
    const std::uint64_t start = first / of_plane * plane, k = first % of_plane;
    const std::uint64_t row = k / of_row, place = k % of_row;
    if (k >= within) {
      e.source = start + k - within;
      e.target = e.source + plane;
    } else {
      const bool right = place + 1 < width;
      e.source = start + row * width + (right ? place : place + 1 - width);
      e.target = e.source + (right ? 1 : width);
    }
    ++first;
  }
}

void make_tree(const generator_spec& spec, std::uint64_t first, std::span<edge> out) {
  for (edge& e : out) {
    e = {first / spec.arity, first + 1};
    ++first;
  }
}

void make_path(const generator_spec&, std::uint64_t first, std::span<edge> out) {
  for (edge& e : out) {
    e = {first, first + 1};
    ++first;
  }
}

void make_star(const generator_spec&, std::uint64_t first, std::span<edge> out) {
  for (edge& e : out) e = {0, ++first};
}

// Edges descend by source. Source s has the edges to the larger vertices, so the number of edges before it is
// a triangular number. { n-2 -> n-1, n-3 -> n-2, n-3 -> n-1, ... }
void make_complete(const generator_spec& spec, std::uint64_t first, std::span<edge> out) {
  const auto before = [](std::uint64_t row) { return row * (row + 1) / 2; };  // row r has r + 1 edges
  auto row = static_cast<std::uint64_t>((std::sqrt(8.0L * static_cast<long double>(first) + 1) - 1) / 2);
  while (before(row) > first) --row;
  while (before(row + 1) <= first) ++row;
  std::uint64_t place = first - before(row);
  for (edge& e : out) {
    const std::uint64_t source = spec.vertices - 2 - row;
    e = {source, source + 1 + place};
    if (++place > row) {
      ++row;
      place = 0;
    }
  }
}

}  // namespace orujo::internal::generators
