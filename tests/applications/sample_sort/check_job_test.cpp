#include "applications/sample_sort/check.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

namespace orujo::internal::sample_sort {
namespace {

TEST(sort_check, sees_what_is_out_of_order_lost_or_twice) {
  const std::size_t n = 5 * static_cast<std::size_t>(cores()) - 1;
  std::vector<std::uint64_t> keys(n);
  std::iota(keys.begin(), keys.end(), 100);
  const key_array array = key_array::create(n);
  array.put(0, keys);
  const findings sorted = inspect(array);
  EXPECT_EQ(sorted.of.keys, n);
  EXPECT_EQ(sorted.of.sum, std::accumulate(keys.begin(), keys.end(), std::uint64_t{0}));
  EXPECT_EQ(sorted.descents, 0u);

  // Neighbours change places: within blocks and across their ends.
  for (std::size_t i = 1; i < n; ++i) {
    array.put(i - 1, std::vector{keys[i], keys[i - 1]});
    EXPECT_EQ(inspect(array).descents, 1u) << i;
    EXPECT_EQ(inspect(array).of, sorted.of) << i;
    array.put(i - 1, std::vector{keys[i - 1], keys[i]});
  }
  // One is there twice, another is gone; then with the sum that they had.
  delegates::write(array[1], keys[2]);
  EXPECT_EQ(inspect(array).descents, 0u);
  EXPECT_NE(inspect(array).of, sorted.of);
  delegates::write(array[1], keys[1] - 1);
  delegates::write(array[2], keys[2] + 1);
  EXPECT_EQ(inspect(array).of.sum, sorted.of.sum);
  EXPECT_NE(inspect(array).of, sorted.of);
  array.destroy();
}

}  // namespace
}  // namespace orujo::internal::sample_sort
