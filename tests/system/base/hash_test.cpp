#include "system/base/hash.hpp"

#include <gtest/gtest.h>

#include <array>
#include <vector>

namespace orujo::internal {
namespace {

TEST(hash, depends_on_every_byte_of_a_key) {
  using key = std::array<unsigned char, 13>;
  const key zero{};
  for (std::size_t at = 0; at < zero.size(); ++at) {
    key other = zero;
    other[at] = 1;
    EXPECT_NE(base::hash<key>()(zero), base::hash<key>()(other)) << "byte " << at;
  }
  EXPECT_EQ(base::hash<key>()(zero), base::hash<key>()(key{}));
}

// Keys that differ little, hashed to buckets by the upper or by the lower bits: every bucket gets its share.
TEST(hash, mixed_spreads_regular_keys_by_upper_and_lower_bits) {
  constexpr std::size_t buckets = 64, keys = 64'000;
  for (std::uint64_t stride : {std::uint64_t{1}, std::uint64_t{64}, std::uint64_t{1} << 32}) {
    std::vector<int> upper(buckets), lower(buckets);
    for (std::uint64_t k = 0; k < keys; ++k) {
      const std::uint64_t h = base::mixed_hash<base::hash<std::uint64_t>>(k * stride);
      ++upper[h >> 58];
      ++lower[h % buckets];
    }
    // The mean is 1,000, the standard deviation 32.
    for (std::size_t b = 0; b < buckets; ++b) {
      EXPECT_NEAR(upper[b], 1000, 200) << "stride " << stride;
      EXPECT_NEAR(lower[b], 1000, 200) << "stride " << stride;
    }
  }
}

}  // namespace
}  // namespace orujo::internal
