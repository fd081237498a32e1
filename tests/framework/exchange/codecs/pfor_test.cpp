#include "framework/exchange/codecs/pfor.hpp"

#include <gtest/gtest.h>

#include "tests/framework/exchange/codecs/kernel_twins.hpp"
#include "tests/framework/exchange/codecs/random_lists.hpp"

namespace orujo::internal::exchange::pfor {
namespace {

using bytes = std::vector<std::byte>;

bytes encoded(kernel with, const std::vector<std::uint32_t>& list) {
  bytes into(pfor::room(list.size()));
  into.resize(pfor::encode(with, list, into));
  return into;
}

bytes made_of(std::initializer_list<int> all) {
  bytes b;
  for (const int x : all) b.push_back(static_cast<std::byte>(x));
  return b;
}

// Expects the same bytes from every kernel, and no more bytes than bp128 takes.
void expect_twins(const std::vector<std::uint32_t>& list, const std::string& name) {
  const bytes expected = exchange::expect_twins(list, name, encoded, pfor::decode);
  bytes unpatched(bp128::room(list.size()));
  EXPECT_LE(expected.size(), bp128::encode(kernel::scalar, list, unpatched)) << name;
}

TEST(pfor, has_the_same_bytes_from_every_kernel) {
  for (const std::size_t count : test_lists::lengths())
    for (const auto& [name, list] : test_lists::of_length(count, 3)) expect_twins(list, name);
}

TEST(pfor, patches_gaps_of_every_width_in_blocks_of_every_width) {
  for (unsigned width = 0; width < 20; ++width) {
    for (unsigned wide = width + 1; wide <= 31; ++wide) {
      random_stream random(width * 100 + wide);
      std::vector<std::uint32_t> list = {5};
      const std::size_t at = 1 + random.below(128);
      for (std::size_t k = 1; k < 129 + 40; ++k) {
        const std::uint64_t gap = k == at ? std::uint64_t{1} << (wide - 1) : random.below(1ull << width);
        list.push_back(static_cast<std::uint32_t>(list.back() + 1 + gap));
      }
      expect_twins(list, "width " + std::to_string(width) + ", one of " + std::to_string(wide));
    }
  }
}

TEST(pfor, leaves_one_wide_gap_out_of_its_block) {
  std::vector<std::uint32_t> list = {0};
  for (int k = 1; k <= 128; ++k) list.push_back(list.back() + (k == 3 ? 1 + (5u << 20) : 1 + k % 4));
  const bytes whole = encoded(kernel::scalar, list);
  // Two bits of every gap, and the upper 21 bits of the third. The sum is first integer, head, block and
  // exception.
  EXPECT_EQ(whole.size(), 4 + 1 + 32 + 2 + 1 + 3);
  EXPECT_EQ(whole[4], std::byte{0x82});
}

// The layout drawn in the header, computed by hand. Gaps less 1 are 0, 0, 0, 0, 0, 0x1234, 0, 0 .. in a block
// of 40. The width is 0, with one exception of 13 bits at index 5.
TEST(pfor, has_the_layout_drawn) {
  std::vector<std::uint32_t> list = {9};
  for (int k = 0; k < 40; ++k) list.push_back(list.back() + 1 + (k == 5 ? 0x1234 : 0));
  EXPECT_EQ(encoded(kernel::scalar, list), made_of({9, 0, 0, 0, 0x80, 1, 13, 5, 0x34, 0x12}));
}

TEST(pfor, refuses_exceptions_that_cannot_be) {
  const auto accepts = [](std::initializer_list<int> from, std::size_t count) {
    std::vector<std::uint32_t> into(count);
    return pfor::decode(pfor::best_kernel(), made_of(from), into).ok();
  };
  EXPECT_TRUE(accepts({9, 0, 0, 0, 0x80, 1, 13, 5, 0x34, 0x12}, 41));
  EXPECT_FALSE(accepts({9, 0, 0, 0, 0x80, 0, 13, 5, 0x34, 0x12}, 41));   // no exception
  EXPECT_FALSE(accepts({9, 0, 0, 0, 0x80, 1, 0, 5, 0x34, 0x12}, 41));    // exception of no bits
  EXPECT_FALSE(accepts({9, 0, 0, 0, 0x80, 1, 13, 40, 0x34, 0x12}, 41));  // exception beyond the block
  EXPECT_FALSE(accepts({9, 0, 0, 0, 0x80, 1, 33, 5, 0, 0, 0, 0, 0}, 41));
  EXPECT_FALSE(accepts({9, 0, 0, 0, 0xc0, 1, 13, 5, 0x34, 0x12}, 41));  // no head
  EXPECT_FALSE(accepts({9, 0, 0, 0, 0x21, 0, 0, 0, 0, 0}, 2));
  EXPECT_TRUE(accepts({9, 0, 0, 0, 0x80, 1, 32, 0, 0xf5, 0xff, 0xff, 0xff}, 2));
  EXPECT_FALSE(accepts({9, 0, 0, 0, 0x80, 1, 32, 0, 0xf6, 0xff, 0xff, 0xff}, 2));  // wraps around
}

TEST(pfor, knows_from_some_blocks_what_it_saves) {
  const auto saved = [](auto gap) {
    const sample s = compare(pfor::best_kernel(), test_lists::with_gaps(1, 5000, 0, gap));
    EXPECT_GE(s.integers, 500u);
    return static_cast<double>(s.bits_saved) / static_cast<double>(s.integers);
  };
  EXPECT_EQ(saved([](auto&) { return 3; }), 0);
  EXPECT_LT(saved([](auto& r) { return 1 + r.below(64); }), 0.1);
  EXPECT_GT(saved([](auto& r) { return r.below(30) == 0 ? 1 + r.below(1 << 16) : 1 + r.below(8); }), 8);
  EXPECT_EQ(compare(pfor::best_kernel(), {}).integers, 0u);
}

}  // namespace
}  // namespace orujo::internal::exchange::pfor
