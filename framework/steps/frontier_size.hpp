// Sums over the cores of a job at the end of a superstep of a search.
#pragma once

#include <cstdint>

namespace orujo::internal::steps {

struct frontier_counts {
  std::uint64_t vertices = 0, out_edges = 0;
  frontier_counts& operator+=(const frontier_counts& b) {
    vertices += b.vertices;
    out_edges += b.out_edges;
    return *this;
  }
  friend frontier_counts operator+(frontier_counts a, const frontier_counts& b) { return a += b; }
};

// `Sums` has the sums of the search's visitor.
template <class Sums>
struct frontier_size {
  std::uint64_t vertices = 0;
  std::uint64_t out_edges = 0;         // where the frontier was found by pushing
  std::uint64_t passed_out_edges = 0;  // of frontiers that one core has handled by itself
  std::uint64_t passed = 0;            // number of such frontiers
  [[no_unique_address]] Sums summed = {};
  frontier_size& operator+=(const frontier_size& b) {
    vertices += b.vertices;
    out_edges += b.out_edges;
    passed_out_edges += b.passed_out_edges;
    passed += b.passed;
    summed += b.summed;
    return *this;
  }
};

}  // namespace orujo::internal::steps
