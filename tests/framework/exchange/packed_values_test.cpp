#include "framework/exchange/packed_values.hpp"

#include <gtest/gtest.h>

#include "system/base/random.hpp"

namespace orujo::internal::exchange {
namespace {

TEST(packed_values, come_out_as_they_went_in) {
  for (const unsigned width : {1u, 7u, 8u, 19u, 31u, 32u}) {
    for (const std::size_t count : {0, 1, 2, 63, 1000}) {
      random_stream random(width * 10'000 + count);
      std::vector<std::uint32_t> values(count);
      for (std::uint32_t& v : values) v = static_cast<std::uint32_t>(random.below(std::uint64_t{1} << width));
      std::vector<std::byte> packed(3, std::byte{255});  // pack_values() drops what was there
      pack_values(values, width, packed);
      EXPECT_EQ(packed.size(), (count * width + 7) / 8);
      for (std::size_t k = 0; k < count; ++k)
        ASSERT_EQ(packed_value(packed, k, width), values[k]) << k << " of " << count << ", width " << width;
    }
  }
}

}  // namespace
}  // namespace orujo::internal::exchange
