// Shortest paths in plain MPI: delta-stepping (Meyer, Sanders, Journal of Algorithms 49(1), 2003). A rank
// itself continues with the vertices that it puts into the current bin. Distances for other ranks travel
// between rounds, if they are less than all that the rank has sent before.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "tests/framework/algorithms/plain_mpi/graph.hpp"

namespace orujo::internal::plain_mpi {

class paths {
 public:
  paths(const rows& g, float delta)
      : distances(g.own), g_(g), delta_(delta), told_(g.vertices), found_(g.ranks) {}

  // Returns how many rounds there were.
  int run(std::uint32_t source) {
    std::fill(distances.begin(), distances.end(), unreached);
    std::fill(told_.begin(), told_.end(), unreached);
    if (g_.is_mine(source)) lower(source - g_.first, 0);
    std::uint64_t bin = 0;
    for (int rounds = 0;; ++rounds) {
      work_off(bin);
      for (const pair& p : found_.exchange()) lower(p.vertex, p.distance);
      while (bin_ < bins_.size() && bins_[bin_].empty()) ++bin_;
      const std::uint64_t mine = bin_ < bins_.size() ? bin_ : none;
      bin = sum_of_all(mine, MPI_UINT64_T, MPI_MIN);
      if (bin == none) {
        bin_ = 0;
        return rounds;
      }
    }
  }

  std::vector<float> distances;  // by own vertex

 private:
  struct pair {
    std::uint32_t vertex;  // as a place at its owner
    float distance;
  };
  static constexpr float unreached = std::numeric_limits<float>::infinity();
  static constexpr std::uint64_t none = ~std::uint64_t{0};

  void lower(std::uint32_t v, float distance) {
    if (distance >= distances[v]) return;
    distances[v] = distance;
    const auto bin = static_cast<std::size_t>(distance / delta_);
    if (bin >= bins_.size()) bins_.resize(bin + 1);
    bins_[bin].push_back({v, distance});
    bin_ = std::min(bin_, static_cast<std::uint64_t>(bin));
  }
  void work_off(std::uint64_t bin) {
    while (bin < bins_.size() && !bins_[bin].empty()) {
      now_.clear();
      now_.swap(bins_[bin]);
      for (const pair& p : now_) {
        if (p.distance == distances[p.vertex]) relax(p.vertex);
      }
    }
  }
  void relax(std::uint32_t v) {
    const float from = distances[v];
    for (std::uint64_t k = g_.offsets[v]; k < g_.offsets[v + 1]; ++k) {
      const std::uint32_t u = g_.neighbours[k];
      const float distance = from + g_.weights[k];
      if (g_.is_mine(u)) {
        lower(u - g_.first, distance);
      } else if (distance < told_[u]) {
        told_[u] = distance;
        const int to = g_.owner_of(u);
        found_.add(to, {u - static_cast<std::uint32_t>(g_.firsts[static_cast<std::size_t>(to)]), distance});
      }
    }
  }

  const rows& g_;
  const float delta_;
  machine::huge_array<float> told_;  // by number
  outgoing<pair> found_;
  std::vector<std::vector<pair>> bins_;
  std::vector<pair> now_;
  std::uint64_t bin_ = 0;  // none before it has any
};

}  // namespace orujo::internal::plain_mpi
