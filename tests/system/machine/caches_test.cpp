#include "system/machine/caches.hpp"

#include <gtest/gtest.h>

namespace orujo::machine {
namespace {

TEST(caches, have_a_plausible_second_level) {
  EXPECT_GE(second_level_cache_bytes(), std::size_t{64} << 10);
  EXPECT_LE(second_level_cache_bytes(), std::size_t{1} << 30);
}

TEST(caches, are_read_as_the_kernel_writes_them) {
  EXPECT_EQ(detail::parse_cache_size("2048K"), std::size_t{2} << 20);
  EXPECT_EQ(detail::parse_cache_size("1M"), std::size_t{1} << 20);
  EXPECT_EQ(detail::parse_cache_size("65536"), 65536u);
  for (const char* none : {"", "K", "12Q", "12KB", "-3K", "99999999999999999999K"}) {
    EXPECT_EQ(detail::parse_cache_size(none), 0u) << none;
  }
}

}  // namespace
}  // namespace orujo::machine
