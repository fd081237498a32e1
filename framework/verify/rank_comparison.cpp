#include "framework/verify/rank_comparison.hpp"

#include <fmt/format.h>

#include <cmath>

#include "system/base/counted.hpp"

namespace orujo::internal::verify {

void rank_comparison::add(std::uint64_t id, double rank) {
  const std::size_t k = seen_++;
  if (k >= ids_.size() || ids_[k] != id) {
    strange_ = true;
    return;
  }
  const double difference = std::abs(rank - expected_[k]);
  distance_ += difference;
  const auto keep_largest = [](double& largest, double ratio) {
    if (!std::isnan(largest) && !(ratio <= largest)) largest = ratio;  // a NaN stays
  };
  keep_largest(worst_, difference / expected_[k]);
  keep_largest(used_, difference / allowed_[k]);
}

bool rank_comparison::agrees() const { return same_vertices() && used_ <= 1; }

std::string rank_comparison::describe() const {
  if (!same_vertices()) {
    return fmt::format("the graphs differ: {} where the serial oracle has {}, or other ids",
                       base::counted(seen_, "vertex", "vertices"), ids_.size());
  }
  return fmt::format(
      "against the serial oracle in double precision: L1 distance {:.1e}, worst relative error {:.1e}, "
      "{:.2g} of what rounding may come to",
      distance_, worst_, used_);
}

}  // namespace orujo::internal::verify
