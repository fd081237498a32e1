// Compares ranks with those of the serial oracle, vertex by vertex.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace orujo::internal::verify {

class rank_comparison {
 public:
  // ids ascending, expected[k] > 0 the rank of ids[k], from which a rank may differ by allowed[k] > 0
  // (rank_bounds.hpp).
  rank_comparison(std::vector<std::uint64_t> ids, std::vector<double> expected, std::vector<double> allowed)
      : ids_(std::move(ids)), expected_(std::move(expected)), allowed_(std::move(allowed)) {}

  // Every vertex once, in ascending order of the ids.
  void add(std::uint64_t id, double rank);

  // Call it after all have been added.
  bool agrees() const;
  std::string describe() const;

 private:
  bool same_vertices() const { return !strange_ && seen_ == ids_.size(); }

  std::vector<std::uint64_t> ids_;
  std::vector<double> expected_, allowed_;
  std::size_t seen_ = 0;
  bool strange_ = false;  // an id came that was not the next one
  double distance_ = 0;   // sum of absolute differences
  double worst_ = 0;      // relative error
  double used_ = 0;       // most that a difference is of what is allowed
};

}  // namespace orujo::internal::verify
