#include "system/base/growing_array.hpp"

#include <gtest/gtest.h>

#include <set>
#include <thread>

namespace orujo::internal {
namespace {

TEST(growing_array, has_a_place_of_its_own_for_each_index) {
  base::growing_array<int> numbers;
  std::set<const int*> places;
  for (int k = 0; k < 1 << 16; ++k) {
    int& made = numbers.at(static_cast<std::uint16_t>(k));
    ASSERT_EQ(made, 0);
    made = k;
    places.insert(&made);
  }
  EXPECT_EQ(places.size(), 1u << 16);
  for (int k = 0; k < 1 << 16; ++k) ASSERT_EQ(*numbers.find(static_cast<std::uint16_t>(k)), k);
}

TEST(growing_array, finds_only_what_has_been_made) {
  base::growing_array<int> numbers;
  EXPECT_EQ(numbers.find(0), nullptr);
  numbers.at(65'535) = 7;
  EXPECT_EQ(numbers.find(0), nullptr);
  EXPECT_EQ(*numbers.find(65'535), 7);
}

TEST(growing_array, may_be_read_while_it_grows) {
  base::growing_array<std::atomic<int>> numbers;
  std::thread owner([&numbers] {
    for (int k = 0; k < 10'000; ++k) numbers.at(static_cast<std::uint16_t>(k)).store(k + 1);
  });
  for (int k = 0; k < 10'000;) {
    const std::atomic<int>* const found = numbers.find(static_cast<std::uint16_t>(k));
    const int value = found ? found->load() : 0;
    ASSERT_TRUE(value == 0 || value == k + 1) << value;
    if (value > 0) ++k;
  }
  owner.join();
}

}  // namespace
}  // namespace orujo::internal
