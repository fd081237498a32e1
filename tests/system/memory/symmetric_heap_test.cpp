#include "system/memory/symmetric_heap.hpp"

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <set>
#include <vector>

#include "system/base/random.hpp"

namespace orujo::internal::memory {
namespace {

// Handles that this core and others have reserved, put, replaced and erased at random; some stay for long.
TEST(symmetric_heap, finds_what_was_put_last) {
  const std::uint64_t seed = ::testing::UnitTest::GetInstance()->random_seed();
  std::printf("seed %llu (repeat with --gtest_random_seed)\n", static_cast<unsigned long long>(seed));
  random_stream random(seed);
  symmetric_heap heap;
  std::map<std::uint64_t, int> right;
  std::vector<std::uint64_t> numbers;
  for (int step = 0; step < 20'000; ++step) {
    if (numbers.empty() || random.below(3) == 0)
      numbers.push_back(heap.take_number(static_cast<core_id>(random.below(3))));
    // Mostly one of the latest.
    const std::uint64_t back =
        random.below(random.below(20) == 0 ? numbers.size() : std::min<std::size_t>(50, numbers.size()));
    const std::uint64_t number = numbers[numbers.size() - 1 - back];
    if (random.below(2) == 0) {
      heap.put(number, std::make_shared<int>(step));
      right[number] = step;
    } else {
      heap.erase(number);
      right.erase(number);
    }
    for (const std::uint64_t asked : {number, numbers[random.below(numbers.size())]}) {
      const int* const found = static_cast<const int*>(heap.find(asked));
      const auto expected = right.find(asked);
      ASSERT_EQ(found != nullptr, expected != right.end()) << step;
      if (found != nullptr) {
        ASSERT_EQ(*found, expected->second) << step;
      }
    }
  }
}

// A handle that nobody has made, as one in memory of zeros, is not taken for an empty or erased slot.
TEST(symmetric_heap, finds_nothing_under_numbers_that_nobody_has_taken) {
  symmetric_heap heap;
  const std::uint64_t number = heap.take_number(0);
  heap.put(number, std::make_shared<int>(1));
  heap.erase(number);
  for (const std::uint64_t nobodys : {std::uint64_t{0}, ~std::uint64_t{0}, number + 1})
    EXPECT_EQ(heap.find(nobodys), nullptr) << nobodys;
}

// Numbers of different cores differ in their high bits, whatever their slots are.
TEST(symmetric_heap, numbers_tell_their_maker) {
  for (const core_id maker : {0, 1, 63, 415, 70'000, (1 << 24) - 2}) {
    symmetric_heap heap;
    std::set<std::uint64_t> numbers;
    for (int k = 0; k < 100; ++k) {
      const std::uint64_t number = heap.take_number(maker);
      EXPECT_EQ(number >> 40, static_cast<std::uint64_t>(maker));
      EXPECT_TRUE(numbers.insert(number).second) << maker;
    }
  }
}

}  // namespace
}  // namespace orujo::internal::memory
