#include "system/base/numbers.hpp"

#include <gtest/gtest.h>

#include <cstdint>

namespace orujo::internal::base {
namespace {

TEST(numbers, are_the_whole_text) {
  EXPECT_EQ(number_of<int>("-17"), -17);
  EXPECT_EQ(number_of<double>("2.5e3"), 2500);
  EXPECT_EQ(number_of<std::uint64_t>("18446744073709551615"), ~std::uint64_t{0});
  for (const char* text : {"", " 1", "1 ", "+1", "0x1", "one", "1.5", "18446744073709551616", "-1"})
    EXPECT_FALSE(number_of<std::uint64_t>(text)) << text;
}

TEST(numbers, are_taken_off_the_front_of_a_text) {
  std::string_view text = "12x345";
  EXPECT_EQ(take_number<int>(text), 12);
  EXPECT_EQ(text, "x345");
  EXPECT_FALSE(take_number<int>(text));
  EXPECT_EQ(text, "x345") << "it stays where there is no number";
  text = "99999999999,";
  EXPECT_FALSE(take_number<int>(text)) << "it is too large";
}

}  // namespace
}  // namespace orujo::internal::base
