#include "framework/formats/rounded_weight.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "framework/formats/names.hpp"
#include "framework/formats/numpy_array.hpp"
#include "framework/formats/text_parser.hpp"
#include "framework/formats/text_tokens.hpp"

namespace orujo::internal::formats {
namespace {

constexpr std::uint64_t none = 0;

// As readers of text do.
std::uint64_t noted(const std::string& text) {
  edge_list list;
  float read = 0;
  EXPECT_EQ(parse_weight(text, read), std::errc()) << text;
  note_weight_of_text(list, text, read);
  return list.rounded_weight;
}

TEST(rounded_weight, is_a_whole_number_that_single_precision_does_not_hold) {
  for (const char* exact :
       {"0", "1", "-5", "16777216", "16777215", "33554436", "33554436.00", "9007199254740992",
        "9223372036854775808", "340282346638528859811704183484516925440"})
    EXPECT_EQ(noted(exact), none) << exact;
  EXPECT_EQ(noted("16777217"), 16777217u);
  EXPECT_EQ(noted("-16777217"), 16777217u);
  EXPECT_EQ(noted("16777217.0"), 16777217u);
  EXPECT_EQ(noted("9007199254740993"), 9007199254740993u);
  EXPECT_EQ(noted("18446744073709551615"), std::numeric_limits<std::uint64_t>::max());
}

TEST(rounded_weight, is_no_fraction_and_no_power_of_ten) {
  for (const char* other : {"0.1", "16777217.5", "3e38", "1.6777217e7", "123456789123456789123"})
    EXPECT_EQ(noted(other), none) << other;
}

std::uint64_t noted_in(const std::string& text, const text_layout& layout, name_set* names = nullptr) {
  edge_list list;
  text_parser parser(list, layout, true, names);
  parser.feed(text);
  parser.finish();
  EXPECT_FALSE(parser.failed()) << parser.summary().error_text.data();
  return list.rounded_weight;
}

TEST(rounded_weight, is_noted_by_lines_that_are_plain_and_others) {
  EXPECT_EQ(noted_in("1 2 16777216\n2 3 5\n", {}), none);
  EXPECT_EQ(noted_in("1 2 1\n2 3 16777217\n3 4 1\n", {}), 16777217u);
  EXPECT_EQ(noted_in("1 2 1\n2 3 16777217", {}), 16777217u) << "without an end of line";
  EXPECT_EQ(noted_in("1 , 2 , 16777217\n", {}), 16777217u);
  EXPECT_EQ(noted_in("1 2 {'weight': 16777217}\n", {}), 16777217u);
  name_set names;
  text_layout named;
  named.named = true;
  EXPECT_EQ(noted_in("a b 16777217\n", named, &names), 16777217u);
  text_layout ignored;
  ignored.ignores_weights = true;
  EXPECT_EQ(noted_in("1 2 16777217\n", ignored), none);
}

// The bytes of an array of numbers.
template <class Number>
std::uint64_t noted_of(char kind, const std::vector<Number>& numbers) {
  numpy_array array;
  array.kind = kind;
  array.width = sizeof(Number);
  array.shape = {numbers.size()};
  array.bytes.assign(reinterpret_cast<const char*>(numbers.data()),
                     reinterpret_cast<const char*>(numbers.data() + numbers.size()));
  edge_list list;
  for (std::uint64_t k = 0; k < numbers.size(); ++k) EXPECT_TRUE(array.weight(k, list).ok());
  return list.rounded_weight;
}

TEST(rounded_weight, is_noted_of_numbers_of_arrays) {
  EXPECT_EQ(noted_of<std::int64_t>('i', {1, -7, 1 << 24, std::int64_t{1} << 62}), none);
  EXPECT_EQ(noted_of<std::int64_t>('i', {1, (std::int64_t{1} << 53) + 1}), (std::uint64_t{1} << 53) + 1);
  EXPECT_EQ(noted_of<std::int32_t>('i', {-16777217}), 16777217u);
  EXPECT_EQ(noted_of<std::uint64_t>('u', {~std::uint64_t{0}}), ~std::uint64_t{0});
  EXPECT_EQ(noted_of<double>('f', {16777217, 0.1}), 16777217u);
  EXPECT_EQ(noted_of<double>('f', {16777217.5, 1e300 / 1e280, 3e38}), none);
  EXPECT_EQ(noted_of<float>('f', {16777216, 3e38f}), none);
}

TEST(rounded_weight, is_described_by_what_is_read) {
  EXPECT_EQ(
      describe_rounded("roads.wel", 16777217)
          .find(
              "roads.wel: the weight 16777217 is read as 16777216, as weights are kept in single precision"),
      0u);
}

}  // namespace
}  // namespace orujo::internal::formats
