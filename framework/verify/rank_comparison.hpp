// Compares ranks with those of the serial oracle, vertex by vertex.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace orujo::verify {

// How far ranks may lie from the oracle's: room for the rounding of sums in another order, and no more.
struct rank_bounds {
  double distance;        // sum of absolute differences; the ranks sum to 1
  double relative_error;  // of each rank
};
inline constexpr rank_bounds single_precision_bounds{1e-5, 1e-4};
inline constexpr rank_bounds double_precision_bounds{1e-11, 1e-9};

class rank_comparison {
 public:
  // ids ascending, expected[k] > 0 the rank of ids[k].
  rank_comparison(std::vector<std::uint64_t> ids, std::vector<double> expected, rank_bounds bounds)
      : ids_(std::move(ids)), expected_(std::move(expected)), bounds_(bounds) {}

  // Every vertex once, in ascending order of the ids.
  void add(std::uint64_t id, double rank);

  // After all have been added.
  bool agrees() const;
  std::string describe() const;

 private:
  bool same_vertices() const { return !strange_ && seen_ == ids_.size(); }

  std::vector<std::uint64_t> ids_;
  std::vector<double> expected_;
  rank_bounds bounds_;
  std::size_t seen_ = 0;
  bool strange_ = false;  // an id came that was not the next one
  double distance_ = 0, worst_ = 0;
};

}  // namespace orujo::verify
