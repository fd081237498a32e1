// PageRank in plain MPI: all have all that is shown, and pull.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "tests/framework/algorithms/plain_mpi/graph.hpp"

namespace orujo::internal::plain_mpi {

class pagerank {
 public:
  explicit pagerank(const rows& g) : ranks(g.own), g_(g), shown_(g.vertices) {}

  // Runs `iterations` iterations from the start. The rank of vertices without out-edges is spread over all.
  void run(int iterations) {
    const float n = static_cast<float>(g_.vertices);
    std::fill(ranks.begin(), ranks.end(), 1 / n);
    for (int k = 0; k < iterations; ++k) {
      double dangling = 0;
      for (std::uint32_t v = 0; v < g_.own; ++v) {
        if (g_.degree(v) == 0) {
          dangling += static_cast<double>(ranks[v]);
        } else {
          shown_[g_.first + v] = ranks[v] / static_cast<float>(g_.degree(v));
        }
      }
      dangling = sum_of_all(dangling, MPI_DOUBLE);
      gather_parts(g_, shown_.part(0, shown_.size()), MPI_FLOAT);
      const float base = (1 - damping + damping * static_cast<float>(dangling)) / n;
      for (std::uint32_t v = 0; v < g_.own; ++v) {
        float sum = 0;
        for (std::uint32_t u : g_.of(v)) sum += shown_[u];
        ranks[v] = base + damping * sum;
      }
    }
  }

  std::vector<float> ranks;  // by own vertex

 private:
  static constexpr float damping = 0.85f;
  const rows& g_;
  machine::huge_array<float> shown_;  // by number
};

}  // namespace orujo::internal::plain_mpi
