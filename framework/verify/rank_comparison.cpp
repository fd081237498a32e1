#include "framework/verify/rank_comparison.hpp"

#include <fmt/format.h>

#include <cmath>

namespace orujo::verify {

void rank_comparison::add(std::uint64_t id, double rank) {
  const std::size_t k = seen_++;
  if (k >= ids_.size() || ids_[k] != id) {
    strange_ = true;
    return;
  }
  const double difference = std::abs(rank - expected_[k]);
  distance_ += difference;
  if (!(difference / expected_[k] <= worst_)) worst_ = difference / expected_[k];  // a NaN counts as worst
}

bool rank_comparison::agrees() const {
  return same_vertices() && distance_ <= bounds_.distance && worst_ <= bounds_.relative_error;
}

std::string rank_comparison::describe() const {
  if (!same_vertices()) {
    return fmt::format("the graphs differ: {} vertices where the serial oracle has {}, or other ids", seen_,
                       ids_.size());
  }
  return fmt::format(
      "against the serial oracle in double precision: L1 distance {:.1e}, worst relative error {:.1e}",
      distance_, worst_);
}

}  // namespace orujo::verify
