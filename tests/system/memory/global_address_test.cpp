#include "system/memory/global_address.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <type_traits>

namespace orujo::internal::memory {
namespace {

struct point {
  double x, y;
};

static_assert(sizeof(global_address<int>) == 8 && std::is_trivially_copyable_v<global_address<int>>);

TEST(global_address, is_null_by_default) {
  const global_address<int> none;
  EXPECT_FALSE(none);
  EXPECT_EQ(none.local(), nullptr);
  int value = 0;
  EXPECT_TRUE(global_address<int>(0, &value));
  EXPECT_EQ(none, global_address<int>());
}

TEST(global_address, is_no_pointer_to_what_it_is_the_address_of) {
  int value = 0;
  EXPECT_NE(std::bit_cast<std::uintptr_t>(global_address<int>(0, &value)),
            reinterpret_cast<std::uintptr_t>(&value));
}

TEST(global_address, holds_any_core_and_any_pointer_of_user_space) {
  int value = 0;
  int* const highest = reinterpret_cast<int*>((std::uintptr_t{1} << 48) - 4);
  int* const lowest = reinterpret_cast<int*>(std::uintptr_t{4});
  for (core_id core : {0, 1, 255, 256, 32767, 32768, 65535}) {
    for (int* pointer : {&value, highest, lowest}) {
      const global_address<int> a(core, pointer);
      EXPECT_EQ(a.core(), core);
      EXPECT_EQ(a.local(), pointer);
    }
  }
}

TEST(global_address, moves_within_the_memory_of_its_core) {
  int values[10] = {};
  const global_address<int> first(65535, values);
  EXPECT_EQ((first + 3).local(), values + 3);
  EXPECT_EQ((first + 3).core(), 65535);
  EXPECT_EQ(first + 10 - 4, first + 6);
  EXPECT_EQ((first + 9) - (first + 2), 7);
  EXPECT_EQ((first + 2) - (first + 9), -7);
  EXPECT_EQ(first + 5 + -5, first);
  global_address<int> moving = first;
  moving += 4;
  moving += -1;
  EXPECT_EQ(moving, first + 3);
  EXPECT_EQ(moving.core(), 65535);
}

TEST(global_address, leads_to_members) {
  point points[2] = {};
  const global_address<point> second = global_address<point>(65535, points) + 1;
  EXPECT_EQ(second.member(&point::x).local(), &points[1].x);
  EXPECT_EQ(second.member(&point::y).local(), &points[1].y);
  EXPECT_EQ(second.member(&point::y).core(), 65535);
  static_assert(std::is_same_v<decltype(second.member(&point::y)), global_address<double>>);
}

TEST(global_address, is_ordered_by_core_then_by_address) {
  int values[2] = {};
  const global_address<int> a(1, values), b(1, values + 1), c(2, values), d(65535, values);
  EXPECT_TRUE(a == global_address<int>(1, values));
  EXPECT_TRUE(a != b && a != c);
  EXPECT_TRUE(a < b && b < c && c < d);
  EXPECT_TRUE(d > a && a <= a && a >= a);
}

}  // namespace
}  // namespace orujo::internal::memory
