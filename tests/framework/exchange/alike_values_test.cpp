#include "framework/exchange/alike_values.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "system/base/random.hpp"

namespace orujo::internal::exchange {
namespace {

struct packed {
  std::optional<alike_values> head;
  std::vector<std::byte> payload;
};
template <class T>
packed pack(const std::vector<T>& values, const std::vector<std::uint32_t>& places) {
  packed all;
  all.head = pack_alike(std::span<const T>(values), places, all.payload);
  return all;
}

// `one_in` positions change, and one in `other` of these has another value than most.
template <class T>
void expect_values_back(std::size_t length, std::uint64_t one_in, std::uint64_t other) {
  std::vector<T> values(length), known(length);
  std::vector<std::uint32_t> places;
  for (std::size_t p = 0; p < length; ++p) {
    known[p] = values[p] = static_cast<T>(p + 7);
    if (mix64(p) % one_in != 0) continue;
    // The first two alike, so that the three that are looked at have two equal ones.
    values[p] = places.size() > 2 && mix64(p + 99) % other == 0 ? static_cast<T>(mix64(p)) : T{5};
    places.push_back(static_cast<std::uint32_t>(p));
  }
  values[places[places.size() / 2]] = T{5};
  const packed all = pack(values, places);
  ASSERT_TRUE(all.head) << length << " values, 1 in " << one_in;
  EXPECT_EQ(all.head->changed, places.size());
  EXPECT_LT(all.payload.size(), places.size() * sizeof(T));
  EXPECT_TRUE(unpack_alike(*all.head, all.payload, known.data()));
  EXPECT_EQ(known, values);
}

TEST(alike_values, come_back_as_they_were) {
  for (const std::size_t length : {64u, 65u, 1000u, 4097u}) {
    for (const std::uint64_t one_in : {1, 2, 3}) {
      for (const std::uint64_t other : {2, 9, 1000}) {
        expect_values_back<std::uint32_t>(length, one_in, other);
        expect_values_back<double>(length, one_in, other);
      }
    }
  }
}

// 16 values of 4 bytes that are all alike take that value, a bit each, and a bit for each of 64 positions.
TEST(alike_values, take_a_bit_each_and_one_per_position) {
  std::vector<std::uint32_t> values(64, 9), some(16), all(64);
  std::iota(some.begin(), some.end(), 20);
  std::iota(all.begin(), all.end(), 0);
  EXPECT_EQ(pack(values, some).payload.size(), 4u + 64 / 8 + 16 / 8);
  EXPECT_EQ(pack(values, all).payload.size(), 4u + 64 / 8);
}

TEST(alike_values, are_no_form_for_few_different_or_scattered_ones) {
  std::vector<std::uint32_t> values(100'000, 9), few(15), scattered;
  std::iota(few.begin(), few.end(), 0);
  EXPECT_FALSE(pack(values, few).head);
  for (std::uint32_t p = 0; p < values.size(); p += 5000) scattered.push_back(p);
  EXPECT_FALSE(pack(values, scattered).head);
  std::iota(values.begin(), values.end(), 0);
  few.resize(1000);
  std::iota(few.begin(), few.end(), 0);
  EXPECT_FALSE(pack(values, few).head);
  // The three values that are looked at are alike, and all others differ.
  values[0] = values[500] = values[999] = 1;
  EXPECT_FALSE(pack(values, few).head);
}

TEST(alike_values, refuse_a_payload_that_cannot_be) {
  const std::vector<std::uint32_t> values(64, 9);
  std::vector<std::uint32_t> some(32);
  std::iota(some.begin(), some.end(), 16);
  const packed right = pack(values, some);
  std::vector<std::uint32_t> into(64);
  const auto unpack = [&](alike_values head, const std::vector<std::byte>& payload) {
    return unpack_alike(head, payload, into.data());
  };
  std::vector<std::byte> more_changed = right.payload, others = right.payload;
  more_changed[4] = std::byte{255};
  others.back() = std::byte{1};
  EXPECT_TRUE(unpack(*right.head, right.payload));
  EXPECT_FALSE(unpack(*right.head, {right.payload.begin(), right.payload.end() - 1}));
  EXPECT_FALSE(unpack({64, 32, 33}, right.payload));
  EXPECT_FALSE(unpack({64, 65, 0}, right.payload));
  EXPECT_FALSE(unpack(*right.head, more_changed));
  EXPECT_FALSE(unpack(*right.head, others));
}

}  // namespace
}  // namespace orujo::internal::exchange
