#include "system/containers/flat_table.hpp"

#include <gtest/gtest.h>

#include <unordered_map>

#include "system/base/random.hpp"

namespace orujo::internal::containers {
namespace {

template <class Table>
std::unordered_map<std::uint64_t, int> content(Table& table) {
  std::unordered_map<std::uint64_t, int> all;
  for (std::size_t at = 0; at < table.slots(); ++at) {
    table.visit_slot(at, [&](std::uint64_t key, int& value) {
      EXPECT_TRUE(all.emplace(key, value).second) << "key " << key << " twice";
    });
  }
  return all;
}

// Random operations on few keys, so that most of them meet a key that is there, against the standard map.
template <class Hash>
void compare_with_the_standard_map(std::uint64_t seed, std::uint64_t keys, int operations) {
  SCOPED_TRACE(testing::Message() << "seed " << seed << ", keys " << keys);
  random_stream random(seed);
  flat_table<std::uint64_t, int, Hash> table;
  std::unordered_map<std::uint64_t, int> model;
  for (int k = 0; k < operations; ++k) {
    const std::uint64_t key = random.below(keys);
    switch (random.below(4)) {
      case 0:
      case 1: {
        const auto [value, is_new] = table.find_or_insert(key);
        EXPECT_EQ(is_new, !model.contains(key));
        EXPECT_EQ(*value, is_new ? 0 : model[key]);
        *value = k;
        model[key] = k;
        break;
      }
      case 2:
        EXPECT_EQ(table.erase(key), model.erase(key) == 1);
        break;
      default: {
        const int* found = table.find(key);
        ASSERT_EQ(found != nullptr, model.contains(key));
        EXPECT_EQ(found ? *found : 0, found ? model[key] : 0);
      }
    }
    ASSERT_EQ(table.size(), model.size());
  }
  EXPECT_EQ(content(table), model);
}

TEST(flat_table, does_as_the_standard_map) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    for (std::uint64_t keys : {3u, 20u, 500u, 100'000u}) {
      compare_with_the_standard_map<base::hash<std::uint64_t>>(seed, keys, 3000);
    }
  }
}

// All keys hash to one of two values, so they form clusters that wrap around the end.
struct colliding {
  std::uint64_t operator()(std::uint64_t key) const { return key % 2; }
};
TEST(flat_table, does_as_the_standard_map_where_all_keys_collide) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) compare_with_the_standard_map<colliding>(seed, 60, 2000);
}

TEST(flat_table, has_room_for_the_expected_keys_and_grows_beyond) {
  for (std::size_t expected : {0u, 1u, 12u, 100u, 1000u}) {
    flat_table<int, int> table(expected);
    const std::size_t slots = table.slots();
    for (int k = 0; k < static_cast<int>(expected); ++k) *table.find_or_insert(k).first = -k;
    EXPECT_EQ(table.slots(), slots);
    for (int k = 0; k < 5000; ++k) *table.find_or_insert(k).first = -k;
    EXPECT_GT(table.slots(), 5000u);
    for (int k = 0; k < 5000; ++k) EXPECT_EQ(*table.find(k), -k);
  }
}

TEST(flat_table, clear_forgets_all_keys_and_every_change_shows_in_the_version) {
  flat_table<int, int> table;
  std::uint64_t version = table.version();
  const auto changed = [&] { return std::exchange(version, table.version()) != table.version(); };
  table.find_or_insert(1);
  EXPECT_TRUE(changed());
  table.find_or_insert(1);
  EXPECT_FALSE(changed());
  EXPECT_FALSE(table.erase(2));
  EXPECT_FALSE(changed());
  EXPECT_TRUE(table.erase(1));
  EXPECT_TRUE(changed());
  table.find_or_insert(3);
  table.clear();
  EXPECT_TRUE(changed());
  EXPECT_EQ(table.size(), 0u);
  EXPECT_EQ(table.find(3), nullptr);
}

TEST(flat_table, holds_keys_without_values) {
  flat_table<std::uint64_t, nothing> set;
  EXPECT_TRUE(set.find_or_insert(5).second);
  EXPECT_FALSE(set.find_or_insert(5).second);
  EXPECT_NE(set.find(5), nullptr);
  EXPECT_EQ(set.find(6), nullptr);
}

}  // namespace
}  // namespace orujo::internal::containers
