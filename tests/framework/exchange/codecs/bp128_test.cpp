#include "framework/exchange/codecs/bp128.hpp"

#include <gtest/gtest.h>

#include "tests/framework/exchange/codecs/kernel_twins.hpp"
#include "tests/framework/exchange/codecs/random_lists.hpp"

namespace orujo::internal::exchange::bp128 {
namespace {

using bytes = std::vector<std::byte>;

bytes encoded(kernel with, const std::vector<std::uint32_t>& list) {
  bytes into(room(list.size()));
  into.resize(encode(with, list, into));
  return into;
}

void expect_twins(const std::vector<std::uint32_t>& list, const std::string& name) {
  exchange::expect_twins(list, name, encoded, bp128::decode);
}

TEST(bp128, has_the_same_bytes_from_every_kernel) {
  for (const std::size_t count : test_lists::lengths())
    for (const auto& [name, list] : test_lists::of_length(count, 3)) expect_twins(list, name);
}

TEST(bp128, packs_blocks_of_every_width_like_the_twin) {
  for (unsigned width = 1; width <= 32; ++width) {
    // The widest gap is anywhere in the block; the others are as wide as 32 bits leave room for.
    for (std::size_t widest = 1; widest < 129; widest += 9) {
      const std::uint64_t gap = std::uint64_t{1} << (width - 1);
      random_stream random(width * 1000 + widest);
      const std::uint64_t others =
          std::max<std::uint64_t>(1, std::min(gap, ((std::uint64_t{1} << 32) - gap - 1) / 130));
      std::vector<std::uint32_t> list = {0};
      for (std::size_t k = 1; k < 129; ++k)
        list.push_back(
            static_cast<std::uint32_t>(list.back() + 1 + (k == widest ? gap : random.below(others))));
      const bytes whole = encoded(kernel::scalar, list);
      EXPECT_EQ(std::to_integer<unsigned>(whole[4]), width);
      EXPECT_EQ(whole.size(), 4 + 1 + 16 * width);
      expect_twins(list, "width " + std::to_string(width));
    }
  }
}

// The layout drawn in the header, computed by hand: 0, then gaps less 1 of 1, 0, 1, 0, ... in one block of
// width 1.
TEST(bp128, has_the_layout_drawn) {
  std::vector<std::uint32_t> list = {7};
  for (int k = 0; k < 128; ++k) list.push_back(list.back() + (k % 4 == 1 ? 2 : 1));
  bytes expected = {std::byte{7}, {}, {}, {}, std::byte{1}};
  for (int lane = 0; lane < 4; ++lane)
    for (int k = 0; k < 4; ++k) expected.push_back(static_cast<std::byte>(lane == 1 ? 0xff : 0));
  EXPECT_EQ(encoded(kernel::scalar, list), expected);
  // Gaps less 1 of 5, 2 and 7 in three bits each: 5 | 2 << 3 | 7 << 6 = 0x1d5.
  EXPECT_EQ(encoded(kernel::scalar, {1, 7, 10, 18}),
            (bytes{std::byte{1}, {}, {}, {}, std::byte{3}, std::byte{0xd5}, std::byte{1}}));
}

}  // namespace
}  // namespace orujo::internal::exchange::bp128
