// A graph cut in two dimensions: the locales form a grid, and each keeps the edges from some of the vertices
// to some of the vertices, so that it exchanges with its row and its column only. After Buluc, Madduri,
// "Parallel Breadth-First Search on Distributed Memory Systems", SC 2011.
//
//                       sources owned by
//                      column 0  column 1
//   targets    row 0      0         1         locale r * columns + c is at (r, c). Its edges lead from
//   owned by   row 1      2         3         vertices of column c's locales to those of row r's.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "framework/graph/adjacency.hpp"
#include "framework/graph/build/build_options.hpp"
#include "framework/graph/build/input.hpp"
#include "system/base/shape.hpp"
#include "system/base/status.hpp"
#include "system/machine/huge_array.hpp"
#include "system/memory/symmetric.hpp"

namespace orujo::graph {

// Who owns what. Every locale owns as many consecutive vertices, the last ones maybe fewer or none. Indices
// are relative: row indices count the vertices of a row's locales, column indices those of a column's.
struct grid_shape {
  int rows = 1, columns = 1;
  std::uint64_t vertices = 0;
  std::uint64_t range = 64;  // vertices of a locale; whole words of bit masks

  // As square as the number of locales allows, with at least as many columns as rows.
  static grid_shape choose(std::uint64_t vertices, int locales);

  locale_id owner(std::uint64_t vertex) const { return static_cast<locale_id>(vertex / range); }
  locale_id at(int row, int column) const { return row * columns + column; }
  int row_of(locale_id l) const { return l / columns; }
  int column_of(locale_id l) const { return l % columns; }

  std::uint64_t row_size() const { return range * static_cast<std::uint64_t>(columns); }
  std::uint64_t column_size() const { return range * static_cast<std::uint64_t>(rows); }
  // Of a vertex: the owner's place in the grid, and how far into its range the vertex is.
  struct place {
    int row, column;
    std::uint64_t offset;
  };
  place place_of(std::uint64_t vertex) const {
    const std::uint64_t l = vertex / range;
    const auto owner = static_cast<locale_id>(l);
    return {row_of(owner), column_of(owner), vertex - l * range};
  }
  std::uint64_t row_index(const place& p) const {
    return static_cast<std::uint64_t>(p.column) * range + p.offset;
  }
  std::uint64_t column_index(const place& p) const {
    return static_cast<std::uint64_t>(p.row) * range + p.offset;
  }
  // The locale with the edges between the two.
  locale_id keeper(const place& source, const place& target) const { return at(target.row, source.column); }
  // The vertex with this index in a column.
  std::uint64_t vertex_of_column(int column, std::uint64_t index) const {
    return index / range * row_size() + static_cast<std::uint64_t>(column) * range + index % range;
  }
};

// A locale's part.
struct locale_grid {
  grid_shape shape;
  std::uint64_t edges = 0;  // of the whole graph
  int row = 0, column = 0;
  std::uint64_t first_vertex = 0;
  std::uint32_t own = 0;
  std::shared_ptr<adjacency> by_target;           // of row indices, column indices
  std::shared_ptr<adjacency> by_source;           // of column indices, row indices
  machine::huge_array<std::uint32_t> out_degree;  // by own vertex
};

// [task; suspends; collective over the job] Turns every core's edges into the locales' parts; the cores of a
// locale get the same object. Weights are dropped. An edge is kept twice, 8 bytes, and a locale has 8 bytes
// per vertex of its row and its column beside. Fails with no_resource where these would be 2^30 or more.
result<std::shared_ptr<locale_grid>> build_grid(input_edges input, const build_options& options);

// As a handle that can travel.
class grid_graph {
 public:
  explicit grid_graph(memory::symmetric<std::shared_ptr<locale_grid>> parts) : parts_(parts) {}
  // The calling core's locale's part.
  const locale_grid& here() const { return *parts_.here(); }
  // [task; suspends]
  void destroy() const;

 private:
  memory::symmetric<std::shared_ptr<locale_grid>> parts_;
};

}  // namespace orujo::graph
