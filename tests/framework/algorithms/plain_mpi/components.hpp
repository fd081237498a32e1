// Connected components in plain MPI, by labels and hooks. Each rank joins the vertices that its edges join.
// Then all ranks take the least label that any rank has for a vertex, and hook their trees to it, until none
// changes.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>

#include "tests/framework/algorithms/plain_mpi/graph.hpp"

namespace orujo::internal::plain_mpi {

class components {
 public:
  explicit components(const rows& g) : labels(g.vertices), g_(g), least_(g.vertices) {}

  // Returns how many exchanges it took.
  int run() {
    for (std::uint32_t v = 0; v < g_.vertices; ++v) labels[v] = v;
    hook_edges(0, 2);
    compress();
    hook_edges(2, g_.vertices);
    compress();
    for (int exchanges = 1;; ++exchanges) {
      MPI_Allreduce(labels.data(), least_.data(), static_cast<int>(g_.vertices), MPI_UINT32_T, MPI_MIN,
                    reference_world());
      // A tree of this rank stays a tree.
      int hooked = 0;
      for (std::uint32_t v = 0; v < g_.vertices; ++v) {
        if (least_[v] == labels[v]) continue;
        hook(v, least_[v]);
        hooked = 1;
      }
      if (sum_of_all(hooked, MPI_INT, MPI_MAX) == 0) return exchanges;
      compress();
    }
  }

  machine::huge_array<std::uint32_t> labels;  // of all vertices: the least number of the component

 private:
  // Hooks the edges [first, last) of every vertex's row. Most vertices are within a tree after a few edges.
  void hook_edges(std::uint64_t first, std::uint64_t last) {
    for (std::uint32_t v = 0; v < g_.own; ++v) {
      const std::uint64_t end = std::min(g_.offsets[v] + last, g_.offsets[v + 1]);
      for (std::uint64_t k = g_.offsets[v] + first; k < end; ++k) hook(g_.first + v, g_.neighbours[k]);
    }
  }
  // The larger root to the smaller: Afforest's link (Sutton, Ben-Nun, Barak, IPDPS 2018).
  void hook(std::uint32_t a, std::uint32_t b) {
    a = labels[a];
    b = labels[b];
    while (a != b) {
      if (a < b) std::swap(a, b);
      const std::uint32_t above = labels[a];
      if (above == a) {
        labels[a] = b;
        return;
      }
      a = above;
    }
  }
  void compress() {
    for (std::uint32_t v = 0; v < g_.vertices; ++v) labels[v] = labels[labels[v]];
  }

  const rows& g_;
  machine::huge_array<std::uint32_t> least_;
};

}  // namespace orujo::internal::plain_mpi
