// The costs of a partition for a job: its balance, and the values that its locales exchange. They are
// computed for any number of locales, not only the job's own.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "framework/graph/grid_of_locales.hpp"
#include "framework/graph/partition.hpp"
#include "system/base/shape.hpp"

namespace orujo::internal::graph {

// Mirrors are those that a pull needs: of each locale the others' vertices from which its vertices have
// in-edges.
struct partition_costs {
  std::vector<std::uint64_t> vertices, in_edges;  // by core
  std::vector<std::uint64_t> mirrors;             // by locale
  std::uint64_t cut_edges = 0;                    // between vertices of two locales
  std::uint64_t values_on_grid = 0;               // mirrors and guests, if edges lie on a grid
};

// Counts from the edges of every vertex. Several counters may each have some of the vertices: then their
// sums() are to be added up. Any thread.
class partition_counter {
 public:
  // owners: of the vertices, over the cores of a job of this shape. grid: of its locales.
  partition_counter(const partition& owners, const job_shape& shape, grid_of_locales grid);
  // The same for locales of one node.
  partition_counter(const partition& owners, const job_shape& shape)
      : partition_counter(owners, shape, grid_of_locales::choose(by_locale<std::uint64_t>(shape.locales()))) {
  }

  // Vertex numbers; each vertex once, with the ends of all its out-edges and all its in-edges. A vertex is
  // mirrored at each locale that its out-edges lead to. On a grid it is mirrored in each row that they lead
  // to, and a guest in each column that its in-edges come from.
  void add(std::uint64_t vertex, std::span<const std::uint64_t> targets,
           std::span<const std::uint64_t> sources);

  std::span<std::uint64_t> sums() { return sums_; }
  partition_costs costs() const;

 private:
  const partition owners_;
  by_core<locale_id> locale_of_;
  int cores_;
  grid_of_locales grid_;
  base::by_id<std::uint64_t> sums_;  // in-edges by core, mirrors by locale, cut edges, values on a grid
  // The call of add() that last had an edge there.
  by_locale<std::uint64_t> seen_by_;
  std::vector<std::uint64_t> seen_by_row_, seen_by_column_;
  std::uint64_t calls_ = 0;
};

}  // namespace orujo::internal::graph
