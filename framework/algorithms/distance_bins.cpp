#include "framework/algorithms/distance_bins.hpp"

#include <algorithm>
#include <utility>

namespace orujo::algorithms {

template <class Distance>
void distance_bins<Distance>::clear() {
  first_ = 0;
  for (std::vector<found>& bin : bins_) bin.clear();
  far_.clear();
}

template <class Distance>
std::uint64_t distance_bins<Distance>::first_from(std::uint64_t b) {
  for (std::uint64_t k = b - first_; k < window; ++k) {
    if (!bins_[k].empty()) return first_ + k;
  }
  if (far_.empty()) return none;
  Distance nearest = far_[0].distance;
  for (const found& f : far_) nearest = std::min(nearest, f.distance);
  return bin_of(nearest);
}

template <class Distance>
void distance_bins<Distance>::move_window(std::uint64_t first) {
  first_ = first;
  std::vector<found> before;
  std::swap(before, far_);
  for (const found& f : before) push(f);
}

template <class Distance>
void distance_bins<Distance>::recycle(std::vector<found>&& emptied) {
  if (emptied.capacity() == 0) return;
  emptied.clear();
  spare_.push_back(std::move(emptied));
}

template <class Distance>
void distance_bins<Distance>::grow(std::vector<found>& full) {
  if (full.empty() && !spare_.empty()) {
    full = std::move(spare_.back());
    spare_.pop_back();
  } else {
    full.reserve(std::max<std::size_t>(64, 2 * full.size()));
  }
}

template class distance_bins<float>;
template class distance_bins<double>;

}  // namespace orujo::algorithms
