#include "system/base/scrambler.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "system/base/random.hpp"

namespace orujo::internal {
namespace {

base::scrambler scrambler_of(unsigned bits, std::uint64_t seed) {
  random_stream random(seed);
  base::scrambler::key keys;
  for (std::uint64_t& key : keys) key = random();
  return {bits, keys};
}

TEST(scrambler, gives_every_number_another_of_as_many_bits) {
  for (unsigned bits = 0; bits <= 10; ++bits) {
    const base::scrambler scramble = scrambler_of(bits, bits);
    std::vector<bool> seen(std::size_t{1} << bits);
    for (std::uint64_t x = 0; x < seen.size(); ++x) {
      const std::uint64_t y = scramble(x);
      ASSERT_LT(y, seen.size()) << bits << " bits";
      EXPECT_FALSE(seen[y]) << y << " comes twice of " << bits << " bits";
      seen[y] = true;
    }
  }
}

TEST(scrambler, is_undone) {
  random_stream random(3);
  for (unsigned bits = 0; bits < 64; ++bits) {
    const base::scrambler scramble = scrambler_of(bits, 100 + bits);
    for (int k = 0; k < 100; ++k) {
      const std::uint64_t x = random() & ((std::uint64_t{1} << bits) - 1);
      ASSERT_EQ(scramble.undo(scramble(x)), x) << bits << " bits";
    }
  }
}

}  // namespace
}  // namespace orujo::internal
