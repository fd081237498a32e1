#include "applications/messaging/ring.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace orujo::internal::messaging {
namespace {

TEST(ring, is_one_cycle_of_all_words) {
  for (const unsigned bits : {0u, 1u, 5u, 10u}) {
    const ring r = ring::create(bits, bits + 1);
    const std::size_t n = r.words().size();
    std::vector<bool> seen(n);
    word at = r.at(0);
    for (std::size_t k = 0; k < n; ++k) {
      EXPECT_EQ(at, r.at(k)) << k;
      EXPECT_FALSE(seen[at]) << "after " << k << " hops";
      seen[at] = true;
      at = r.walk(at, 1);
    }
    EXPECT_EQ(at, r.at(0));
    EXPECT_EQ(r.walk(at, 3 * n), at);
    r.destroy();
  }
}

TEST(ring, walks_that_are_led_astray_are_seen) {
  const ring r = ring::create(8, 1);
  EXPECT_EQ(walk_all(r, 4, 64, 0, 64), 0u);
  // The word at place 100 leads one too far, so of the four walks the one from 64 to 128.
  delegates::write(r.words()[r.at(100)], r.at(102));
  EXPECT_EQ(walk_all(r, 4, 64, 0, 64), 1u);
  r.destroy();
}

}  // namespace
}  // namespace orujo::internal::messaging
