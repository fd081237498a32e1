#include "framework/algorithms/distance_bins.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "system/base/random.hpp"

namespace orujo::algorithms {
namespace {

// The distances in the bins, in the order of processing.
template <class Distance>
std::vector<Distance> work_off(distance_bins<Distance>& bins) {
  std::vector<Distance> distances;
  for (std::uint64_t b = 0; (b = bins.first_from(b)) != distance_bins<Distance>::none;) {
    if (!bins.within_window(b)) {
      bins.move_window(b);
      continue;
    }
    std::vector<found_vertex<Distance>> found;
    std::swap(found, bins.bin(b));
    for (const found_vertex<Distance>& f : found) distances.push_back(f.distance);
    bins.recycle(std::move(found));
  }
  return distances;
}

template <class Distance>
class distance_bins_of : public testing::Test {};
using precisions = testing::Types<float, double>;
TYPED_TEST_SUITE(distance_bins_of, precisions);

TYPED_TEST(distance_bins_of, any_precision_come_in_order_however_far_the_distances_lie_apart) {
  random_stream random(7);
  for (const float delta : {0.5f, 3.0f, 1000.0f}) {
    distance_bins<TypeParam> bins(delta);
    std::vector<TypeParam> all;
    for (std::uint32_t v = 0; v < 5000; ++v) {
      all.push_back(static_cast<TypeParam>(random.below(v % 3 == 0 ? 100 : 10'000'000)));
      bins.push({v, all.back()});
    }
    std::vector<TypeParam> worked_off = work_off(bins);
    ASSERT_EQ(worked_off.size(), all.size()) << delta;
    for (std::size_t k = 1; k < worked_off.size(); ++k)
      ASSERT_GT(worked_off[k] + delta * 1.01f, worked_off[k - 1]) << delta << ' ' << k;
    std::sort(all.begin(), all.end());
    std::sort(worked_off.begin(), worked_off.end());
    EXPECT_EQ(worked_off, all) << delta;
  }
}

TYPED_TEST(distance_bins_of, any_precision_are_empty_once_cleared) {
  distance_bins<TypeParam> bins(1);
  bins.push({0, 5});
  bins.push({1, 1e9f});
  bins.clear();
  EXPECT_EQ(bins.first_from(0), distance_bins<TypeParam>::none);
  bins.push({2, 3});
  EXPECT_EQ(bins.first_from(0), 3u);
}

}  // namespace
}  // namespace orujo::algorithms
