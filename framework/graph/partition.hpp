// Which core owns which vertices: consecutive ranges, balanced in vertices and in-edges.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "system/base/by_core.hpp"
#include "system/base/shape.hpp"

namespace orujo::internal::graph {

// Vertices 0..vertices()-1 cut into one consecutive range per core; those of a locale are consecutive, too.
class partition {
 public:
  partition() = default;
  // bounds[c] is the first vertex of core c; one more than there are cores, the last being the number of
  // vertices.
  explicit partition(std::vector<std::uint64_t> bounds) : bounds_(std::move(bounds)) {}

  std::uint64_t vertices() const { return bounds_.back(); }
  std::uint64_t first_of(core_id c) const { return bounds_[c]; }
  std::uint64_t last_of(core_id c) const { return bounds_[c + 1]; }
  core_id owner(std::uint64_t vertex) const {
    return static_cast<core_id>(std::upper_bound(bounds_.begin(), bounds_.end(), vertex) - bounds_.begin()) -
           1;
  }

 private:
  by_core<std::uint64_t> bounds_;
};

// The locale that keeps an edge, among its in-edges. On a grid a graph keeps vectors of in-edges only.
enum class edge_placement {
  automatic,  // grid where that is faster (place_on_grid.hpp), if the graph keeps vectors only
  by_target,  // that of its target
  grid,       // the one in its target's row and its source's column (grid_of_locales.hpp)
};

struct partition_options {
  bool hash = false;  // random placement: numbers are scattered (numbering.hpp) before they are cut
  // The approximate cost of a vertex in in-edges: a range's load is in-edges + alpha * vertices.
  std::uint64_t alpha = 16;
  bool as_stored = true;  // unless hash: a file that has an order of its own keeps it
  edge_placement placement = edge_placement::automatic;
};

// Vertices are counted in buckets of this many, so that the counts of any graph can be summed over all cores.
// A power of two; whole cache lines of values where there are enough vertices, so that cores do not share
// them.
std::uint64_t bucket_size(std::uint64_t vertices, int cores);

// Cuts at bucket boundaries so that the loads of the cores are as even as those allow. in_edges: by bucket.
partition balance(std::uint64_t vertices, std::span<const std::uint64_t> in_edges, std::uint64_t bucket,
                  int cores, std::uint64_t alpha);

}  // namespace orujo::internal::graph
