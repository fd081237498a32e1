#include "system/messages/block_cost.hpp"

#include <gtest/gtest.h>

namespace orujo::internal::messages {
namespace {

TEST(block_cost, is_about_the_median_of_its_samples) {
  double median = 250;
  for (int k = 0; k < 200; ++k) median = moved_towards(median, 6'000);
  EXPECT_NEAR(median, 6'000, 600);
  for (int k = 0; k < 200; ++k) median = moved_towards(median, k % 3 == 0 ? 50 : 800 + k % 2);
  EXPECT_NEAR(median, 800, 120);
}

TEST(block_cost, is_not_moved_far_by_threads_that_lose_their_cpus) {
  double median = 500;
  for (int k = 0; k < 400; ++k) median = moved_towards(median, k % 4 == 0 ? 4e6 : 400 + k % 7 * 20);
  EXPECT_GT(median, 300);
  EXPECT_LT(median, 700);
}

TEST(block_cost, comes_back_from_samples_of_nothing) {
  double median = 500;
  for (int k = 0; k < 10'000; ++k) median = moved_towards(median, 0);
  EXPECT_EQ(median, 1);
  for (int k = 0; k < 200; ++k) median = moved_towards(median, 1'000);
  EXPECT_NEAR(median, 1'000, 100);
}

TEST(block_cost, is_that_of_both_ends_and_of_each_block) {
  block_cost cost;
  for (int k = 0; k < 200; ++k) {
    cost.sent(4, 4 * 100, 4 * 1'000);
    cost.received(2, 2 * 100, 2 * 3'000);
  }
  EXPECT_NEAR(cost.ns(), 4'000, 400);
}

TEST(block_cost, does_not_count_the_copying_of_what_is_in_them) {
  block_cost cost;
  const double before = cost.ns();
  cost.sent(1, block_bytes, 1e6);
  cost.received(3, 3 * block_bytes, 1e6);
  cost.received(0, 0, 1e6);  // parcels that other messages came in
  EXPECT_EQ(cost.ns(), before);
}

}  // namespace
}  // namespace orujo::internal::messages
