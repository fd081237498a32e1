// The costs of a partition for a job: its balance, and the mirrors of its locales. They are computed for any
// number of locales, not only the job's own.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "framework/graph/partition.hpp"
#include "system/base/shape.hpp"

namespace orujo::internal::graph {

// Mirrors are those that a pull needs: of each locale the others' vertices from which its vertices have
// in-edges.
struct partition_costs {
  std::vector<std::uint64_t> vertices, in_edges;  // by core
  std::vector<std::uint64_t> mirrors;             // by locale
  std::uint64_t cut_edges = 0;                    // between vertices of two locales
};

// Counts from the out-edges of every vertex. Several counters may each have some of the vertices: then their
// sums() are to be added up. Any thread.
class partition_counter {
 public:
  // owners: of the vertices, over the cores of a job of this shape.
  partition_counter(const partition& owners, const job_shape& shape);

  // Vertex numbers; each vertex once, with all its out-edges.
  void add(std::uint64_t vertex, std::span<const std::uint64_t> targets);

  std::span<std::uint64_t> sums() { return sums_; }
  partition_costs costs() const;

 private:
  const partition owners_;
  by_core<locale_id> locale_of_;
  int cores_;
  base::by_id<std::uint64_t> sums_;   // in-edges by core, mirrors by locale, cut edges
  by_locale<std::uint64_t> seen_by_;  // the call of add() that last had an edge there
  std::uint64_t calls_ = 0;
};

}  // namespace orujo::internal::graph
