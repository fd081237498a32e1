#include "applications/log_count/decimal.hpp"

#include <gtest/gtest.h>

#include "system/base/random.hpp"

namespace orujo::internal::log_count {
namespace {

TEST(decimal, reads_and_writes_the_same_numbers) {
  for (const char* text :
       {"0", "1", "-1", "0.5", "-0.000000001", "999999999999999999.999999999", "12345.678"})
    EXPECT_EQ(text_of(parse_decimal(text).value()), text);
  EXPECT_EQ(text_of(parse_decimal("+007.50").value()), "7.5");
  EXPECT_EQ(text_of(parse_decimal(".5").value()), "0.5");
  EXPECT_EQ(text_of(parse_decimal("5.").value()), "5");
  EXPECT_EQ(text_of(parse_decimal("-0").value()), "0");
}

TEST(decimal, refuses_what_is_no_number_or_not_exact) {
  for (const char* text : {"", "-", ".", "1e3", "0x1", "1,5", " 1", "1 ", "nan", "--1", "1.2.3",
                           "1000000000000000000", "0.0000000001"})
    EXPECT_FALSE(parse_decimal(text).has_value()) << text;
}

TEST(decimal, adds_exactly) {
  decimal sum;
  __int128 expected = 0;
  random_stream random(3);
  for (int k = 0; k < 10'000; ++k) {
    const __int128 more = static_cast<__int128>(random() >> 1) * 1000 * (random.below(2) == 0 ? 1 : -1);
    sum = sum + decimal(more);
    expected += more;
  }
  EXPECT_TRUE(sum.billionths() == expected);
  EXPECT_TRUE(decimal(1) > decimal(-1));
  EXPECT_FALSE(decimal(-2) > decimal(-1));
}

}  // namespace
}  // namespace orujo::internal::log_count
