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
  friend frontier_counts operator+(frontier_counts a, const frontier_counts& b) { return a += b; }
};

// What `told` tellings of found vertices add to a frontier, as if each were of another vertex, with as many
// out-edges as those have that are in it; where none is, as all of the graph's have.
inline frontier_counts guess_of_told(std::uint64_t told, const frontier_counts& found,
                                     const frontier_counts& graph) {
  const frontier_counts& like = found.vertices > 0 ? found : graph;
  const double degree = static_cast<double>(like.out_edges) / static_cast<double>(like.vertices);
  return {told, static_cast<std::uint64_t>(static_cast<double>(told) * degree)};
}

// Sums: what the search's visitor has summed besides.
template <class Sums>
struct frontier_size {
  std::uint64_t vertices = 0;
  std::uint64_t out_edges = 0;         // where the frontier was found by pushing
  std::uint64_t passed_out_edges = 0;  // of frontiers that one core has gone through alone
  std::uint64_t passed = 0;            // how many such frontiers
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

}  // namespace orujo::engine
