#include "framework/tables/mapreduce/text_table.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>

#include "system/base/random.hpp"

namespace orujo::internal::mapreduce {
namespace {

// Around the 16 bytes up to which texts are kept in the slots, with bytes of all kinds; many begin alike.
std::string random_text(random_stream& random) {
  std::string text(random.below(4) == 0 ? random.below(40) : random.below(18), 'x');
  for (char& c : text) {
    if (random.below(3) == 0) c = "ab\0\xff"[random.below(4)];
  }
  return text;
}

TEST(text_table, has_the_values_that_a_map_has) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    random_stream random(seed);
    text_table<std::uint64_t> table;
    for (int round = 0; round < 2; ++round) {
      std::map<std::string, std::uint64_t> expected;
      for (int k = 0; k < 5000; ++k) {
        const std::string text = random_text(random);
        const auto [value, is_new] = table.find_or_insert(hashed_text(text));
        ASSERT_EQ(is_new, !expected.contains(text)) << "seed " << seed;
        ASSERT_TRUE(!is_new || *value == 0);
        *value += 1;
        ++expected[text];
      }
      ASSERT_EQ(table.size(), expected.size());
      std::map<std::string, std::uint64_t> visited;
      table.visit([&](std::string_view text, std::uint64_t count) { visited.emplace(text, count); });
      EXPECT_EQ(visited, expected) << "seed " << seed;
      for (const auto& [text, count] : expected) EXPECT_EQ(*table.find(hashed_text(text)), count);
      EXPECT_EQ(table.find(hashed_text("none such")), nullptr);
      table.clear();
      EXPECT_EQ(table.size(), 0u);
    }
  }
}

TEST(text_table, finds_texts_by_their_hash) {
  text_table<int> table;
  for (int k = 0; k < 1000; ++k) {
    const std::string text(static_cast<std::size_t>(k % 30), static_cast<char>('a' + k % 7));
    *table.find_or_insert(hashed_text(text)).first = k;
  }
  table.visit([&](std::string_view text, int value) {
    const auto [found, its_value] = table.find_by_hash(hashed_text(text).hash, 0);
    EXPECT_EQ(found, text);
    EXPECT_EQ(*its_value, value);
    EXPECT_EQ(table.find_by_hash(hashed_text(text).hash, 1).second, nullptr);
  });
}

TEST(text_table, hashes_texts_of_all_lengths_differently) {
  std::set<std::uint64_t> hashes;
  for (std::size_t size = 0; size < 64; ++size) {
    hashes.insert(hashed_text(std::string(size, '\0')).hash);
    hashes.insert(hashed_text(std::string(size, 'a') + 'b').hash);
  }
  EXPECT_EQ(hashes.size(), 128u);
}

}  // namespace
}  // namespace orujo::internal::mapreduce
