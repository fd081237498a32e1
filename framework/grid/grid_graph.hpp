// A graph partitioned in two dimensions. The locales form a grid. Each keeps the edges from some of the
// vertices to some of the vertices, so that it communicates with its row and its column only. After Buluc,
// Madduri, "Parallel Breadth-First Search on Distributed Memory Systems", SC 2011.
//
//                       sources owned by
//                      column 0  column 1
//   targets    row 0      0         1         place r * columns + c is at (r, c). Its edges lead from
//   owned by   row 1      2         3         vertices of column c's locales to those of row r's.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "framework/graph/adjacency.hpp"
#include "framework/graph/build/build_options.hpp"
#include "framework/graph/build/input.hpp"
#include "framework/graph/grid_of_locales.hpp"
#include "system/base/shape.hpp"
#include "system/base/status.hpp"
#include "system/containers/symmetric.hpp"
#include "system/machine/huge_array.hpp"

namespace orujo::internal::graph {

// Ownership of vertices. Every locale owns the same number of consecutive vertices, the last ones maybe fewer
// or none, in the order of the places in the grid. Row indices count the vertices of a row's locales, column
// indices those of a column's.
struct grid_shape : grid_of_locales {
  std::uint64_t vertices = 0;
  std::uint64_t range = 64;  // vertices of a locale; whole words of bit masks

  // `nodes` is that of `grid_of_locales::choose()`.
  static grid_shape choose(std::uint64_t vertices, const by_locale<std::uint64_t>& nodes);

  locale_id owner(std::uint64_t vertex) const { return locale_at[vertex / range]; }
  std::uint64_t first_vertex_of(locale_id l) const {
    return range * static_cast<std::uint64_t>(place_of_locale[l]);
  }

  std::uint64_t row_size() const { return range * static_cast<std::uint64_t>(columns); }
  std::uint64_t column_size() const { return range * static_cast<std::uint64_t>(rows); }
  // The position of a vertex: its owner's place in the grid, and the vertex's offset in the owner's range.
  struct place {
    int row, column;
    std::uint64_t offset;
  };
  place place_of(std::uint64_t vertex) const {
    const std::uint64_t p = vertex / range;
    const auto index = static_cast<int>(p);
    return {index / columns, index % columns, vertex - p * range};
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
// locale get the same object. Weights are dropped. An edge is kept twice and takes 8 bytes; a locale takes 8
// more bytes per vertex of its row and of its column. Fails with `no_resource` if a row or column has 2^30
// vertices or more. `nodes` is that of `grid_shape::choose()`; without it, the nodes on which the locales
// run.
result<std::shared_ptr<locale_grid>> build_grid(input_edges input, const build_options& options,
                                                const by_locale<std::uint64_t>& nodes = {});

// A handle of the graph, which can travel.
class grid_graph {
 public:
  explicit grid_graph(containers::symmetric<std::shared_ptr<locale_grid>> parts) : parts_(parts) {}
  // The calling core's locale's part.
  const locale_grid& here() const { return *parts_.here(); }
  // [task; suspends]
  void destroy() const;

 private:
  containers::symmetric<std::shared_ptr<locale_grid>> parts_;
};

}  // namespace orujo::internal::graph
