#include "framework/algorithms/distance_bins.hpp"

#include <algorithm>
#include <utility>

namespace orujo::algorithms {

void distance_bins::clear() {
  first_ = 0;
  for (std::vector<found_vertex>& bin : bins_) bin.clear();
  far_.clear();
}

std::uint64_t distance_bins::first_from(std::uint64_t b) {
  for (std::uint64_t k = b - first_; k < window; ++k) {
    if (!bins_[k].empty()) return first_ + k;
  }
  if (far_.empty()) return none;
  float nearest = far_[0].distance;
  for (const found_vertex& f : far_) nearest = std::min(nearest, f.distance);
  return bin_of(nearest);
}

void distance_bins::move_window(std::uint64_t first) {
  first_ = first;
  std::vector<found_vertex> before;
  std::swap(before, far_);
  for (const found_vertex& f : before) push(f);
}

void distance_bins::recycle(std::vector<found_vertex>&& emptied) {
  if (emptied.capacity() == 0) return;
  emptied.clear();
  spare_.push_back(std::move(emptied));
}

void distance_bins::grow(std::vector<found_vertex>& full) {
  if (full.empty() && !spare_.empty()) {
    full = std::move(spare_.back());
    spare_.pop_back();
  } else {
    full.reserve(std::max<std::size_t>(64, 2 * full.size()));
  }
}

}  // namespace orujo::algorithms
