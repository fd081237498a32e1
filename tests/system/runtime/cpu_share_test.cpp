#include "system/runtime/cpu_share.hpp"

#include <gtest/gtest.h>

namespace orujo::internal::runtime {
namespace {

TEST(cpu_share, gives_each_locale_a_slice_of_its_own) {
  const cpu_share first{.domains = {}, .cpus = {0, 2, 4, 6}, .locales = 2, .place = 0};
  cpu_share second = first;
  second.place = 1;
  EXPECT_FALSE(is_crowded(first, 2));
  EXPECT_EQ(cpus_to_pin(first, 2), (std::vector{0, 2}));
  EXPECT_EQ(cpus_to_pin(second, 2), (std::vector{4, 6}));
  EXPECT_EQ(cpus_to_pin(second, 1), (std::vector{2}));
}

TEST(cpu_share, is_crowded_with_more_cores_than_cpus) {
  const cpu_share share{.domains = {}, .cpus = {0, 1, 2}, .locales = 2, .place = 1};
  EXPECT_FALSE(is_crowded(share, 1));
  EXPECT_TRUE(is_crowded(share, 2));
  EXPECT_TRUE(cpus_to_pin(share, 2).empty());
}

}  // namespace
}  // namespace orujo::internal::runtime
