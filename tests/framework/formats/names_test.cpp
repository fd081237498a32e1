#include "framework/formats/names.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "system/base/random.hpp"

namespace orujo::internal::formats {
namespace {

// Few letters, so that many begin alike or are the same; also the largest byte.
std::vector<std::string> random_names(std::uint64_t seed, std::size_t count) {
  random_stream random(seed);
  std::vector<std::string> made;
  for (std::size_t k = 0; k < count; ++k) {
    std::string name(random.below(3) == 0 ? 8 : 0, 'x');
    for (std::uint64_t left = 1 + random.below(6); left > 0; --left) name += "ab\xff~"[random.below(4)];
    made.push_back(name);
  }
  return made;
}

name_table table_of(const std::vector<std::string>& names) {
  name_table table;
  for (const std::string& name : names) table.push_back(name);
  return table;
}

TEST(name_table, has_what_was_put_into_it) {
  const std::vector<std::string> names = {"b", "", "a longer one", "b"};
  const name_table table = table_of(names);
  ASSERT_EQ(table.size(), names.size());
  for (std::size_t k = 0; k < names.size(); ++k) EXPECT_EQ(table[k], names[k]);
  const name_table again({table.offsets().begin(), table.offsets().end()},
                         {table.bytes().begin(), table.bytes().end()});
  ASSERT_EQ(again.size(), names.size());
  EXPECT_EQ(again[2], names[2]);
  EXPECT_EQ(name_table().size(), 0u);
  EXPECT_EQ(name_table({}, {}).size(), 0u);
}

TEST(name_table, is_sorted_by_bytes) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    std::vector<std::string> names = random_names(seed, 200);
    const std::vector<std::uint64_t> places = sorted_places(table_of(names));
    std::vector<std::uint64_t> each_once = places;
    std::sort(each_once.begin(), each_once.end());
    std::vector<std::string> in_order;
    for (std::size_t k = 0; k < names.size(); ++k) {
      ASSERT_EQ(each_once[k], k);
      in_order.push_back(names[places[k]]);
    }
    std::sort(names.begin(), names.end());
    EXPECT_EQ(in_order, names) << "seed " << seed;
  }
}

TEST(name_set, numbers_names_as_they_come) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    name_set names;
    std::map<std::string, std::uint64_t> expected;
    for (const std::string& name : random_names(seed, 3000)) {
      const std::uint64_t number = expected.emplace(name, expected.size()).first->second;
      ASSERT_EQ(names.number_of(name), number) << name;
    }
    name_set elsewhere = std::move(names);
    for (const auto& [name, number] : expected) {
      ASSERT_EQ(elsewhere.number_of(name), number);
      ASSERT_EQ(elsewhere.names()[number], name);
    }
    EXPECT_EQ(std::move(elsewhere).table().size(), expected.size());
  }
}

TEST(names, are_of_bytes_that_text_files_give_back) {
  for (const char c : {'a', 'Z', '0', '-', '#', '%', '"', ':', ';', '|', '\x80', '\xff'})
    EXPECT_TRUE(is_name_byte(c)) << c;
  for (const char c : {' ', '\t', '\n', '\r', ',', '\0', '\x1f', '\x7f'}) EXPECT_FALSE(is_name_byte(c)) << c;
  EXPECT_TRUE(is_name("a-1"));
  EXPECT_TRUE(is_name("a b, c"));
  EXPECT_FALSE(is_name("") || is_name(" a") || is_name("a ") || is_name("a\tb"));
  EXPECT_TRUE(is_name("zo\xc3\xab \xc2\xa0\xc2\xb5\xc2") && is_name("\xe9\x9b")) << "any bytes";
  for (const char* control : {"a\xc2\x9b"
                              "31m",
                              "\xc2\x80", "\xc2\xc2\x9f", "x\xc2\xa0\xc2\x85"}) {
    EXPECT_FALSE(is_name(control)) << "U+0080 to U+009F";
    EXPECT_EQ(*skip_plain_name(control), '\xc2') << "which is looked at with care";
  }
}

}  // namespace
}  // namespace orujo::internal::formats
