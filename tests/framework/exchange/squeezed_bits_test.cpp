#include "framework/exchange/squeezed_bits.hpp"

#include <gtest/gtest.h>

#include <bit>

#include "system/base/random.hpp"

namespace orujo::internal::exchange {
namespace {

void expect_moved(bit_word bits, bit_word mask, bit_word together) {
  EXPECT_EQ(gather_bits(bits, mask), together);
  EXPECT_EQ(portable::gather_bits(bits, mask), together);
  EXPECT_EQ(scatter_bits(together, mask), bits & mask);
  EXPECT_EQ(portable::scatter_bits(together, mask), bits & mask);
}

TEST(squeezed_bits, go_to_the_places_of_a_mask_and_back) {
  constexpr bit_word all = ~bit_word{0}, ends = 0x8000'0000'0000'0001;
  expect_moved(0b1010'1100, 0b1111'0000, 0b1010);
  expect_moved(all, ends, 0b11);
  expect_moved(ends, all, ends);
  expect_moved(all, 0, 0);
  for (std::uint64_t k = 0; k < 3000; k += 3) {
    const bit_word mask = mix64(k) & mix64(k + 1), bits = mix64(k + 2);
    bit_word together = 0;
    for (std::size_t from = 0, to = 0; from < bits_of_word; ++from) {
      if ((mask >> from & 1) != 0) together |= (bits >> from & 1) << to++;
    }
    expect_moved(bits, mask, together);
  }
}

TEST(squeezed_bits, of_a_set_lie_one_behind_the_other) {
  std::vector<bit_word> squeezed;
  squeeze({}, {}, 0, squeezed);
  EXPECT_TRUE(squeezed.empty());
  const bit_word low = 0xffff'ffff'ffff, bits[] = {low, 0, 0b101, 1}, masks[] = {low, 0, low, 0b11};
  squeeze(bits, masks, 98, squeezed);
  EXPECT_EQ(squeezed, (std::vector<bit_word>{low | bit_word{0b101} << 48, bit_word{1} << 32}));
  const bit_word all = ~bit_word{0}, whole[] = {all, all, 0}, of_whole[] = {all, all, 0};
  squeeze(whole, of_whole, 128, squeezed);
  EXPECT_EQ(squeezed, (std::vector<bit_word>{all, all}));
}

TEST(squeezed_bits, are_counted_as_by_the_library) {
  for (std::uint64_t k = 0; k < 1000; ++k) {
    const bit_word word = mix64(k) & mix64(k + k % 7);
    EXPECT_EQ(bits_of(word), static_cast<std::size_t>(std::popcount(word)));
  }
  EXPECT_EQ(bits_of(0), 0u);
  EXPECT_EQ(bits_of(~bit_word{0}), 64u);
}

}  // namespace
}  // namespace orujo::internal::exchange
