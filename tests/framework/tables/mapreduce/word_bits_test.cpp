#include "framework/tables/mapreduce/word_bits.hpp"

#include <gtest/gtest.h>

#include <array>

#include "system/base/random.hpp"

namespace orujo::internal::mapreduce {
namespace {

TEST(word_bits, are_the_same_byte_by_byte) {
  random_stream random(1);
  std::array<char, 64> bytes;
  for (int k = 0; k < 2000; ++k) {
    for (char& c : bytes) c = static_cast<char>(random.below(256));
    for (const bool letters : {false, true})
      EXPECT_EQ(word_bits_of(bytes.data(), letters), portable::word_bits_of(bytes.data(), letters));
  }
}

TEST(word_bits, say_what_each_byte_is) {
  std::array<char, 64> bytes;
  bytes.fill('-');
  bytes[0] = '\0', bytes[1] = ' ', bytes[2] = 'Z', bytes[62] = '\xff', bytes[63] = '7';
  const std::uint64_t high = std::uint64_t{1} << 62, last = std::uint64_t{1} << 63;
  EXPECT_EQ(word_bits_of(bytes.data(), true), (word_bits{4 | high | last, 1, high}));
  EXPECT_EQ(word_bits_of(bytes.data(), false), (word_bits{~std::uint64_t{3}, 1, high}));
}

}  // namespace
}  // namespace orujo::internal::mapreduce
