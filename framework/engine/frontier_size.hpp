// What the cores of a job sum up at the end of a superstep of a search.
#pragma once

#include <cstdint>

namespace orujo::engine {

struct frontier_counts {
  std::uint64_t vertices = 0, out_edges = 0;
  frontier_counts& operator+=(const frontier_counts& b) {
    vertices += b.vertices;
    out_edges += b.out_edges;
    return *this;
  }
};

// Sums: what the search's visitor has summed besides.
template <class Sums>
struct frontier_size {
  std::uint64_t vertices = 0;
  std::uint64_t out_edges = 0;         // where the frontier was found by pushing
  std::uint64_t passed_out_edges = 0;  // of frontiers that one core has gone through alone
  std::uint64_t passed = 0;            // how many such frontiers
  std::uint64_t sent = 0, received = 0;
  frontier_counts late = {};  // what was told in the superstep before
  [[no_unique_address]] Sums summed = {};
  frontier_size& operator+=(const frontier_size& b) {
    vertices += b.vertices;
    out_edges += b.out_edges;
    passed_out_edges += b.passed_out_edges;
    passed += b.passed;
    sent += b.sent;
    received += b.received;
    late += b.late;
    summed += b.summed;
    return *this;
  }
};

}  // namespace orujo::engine
