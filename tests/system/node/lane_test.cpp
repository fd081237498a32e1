#include "system/node/lane.hpp"

#include <gtest/gtest.h>
#include <sched.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <thread>
#include <vector>

#include "system/base/aligned_bytes.hpp"
#include "system/base/random.hpp"

namespace orujo::internal::node {
namespace {

// Memory that has been used for something else, and an end at each side.
struct ends_of_lane {
  explicit ends_of_lane(std::size_t room) : memory(base::make_aligned_bytes(lane::bytes_for(room))) {
    std::memset(memory.get(), 0xa5, lane::bytes_for(room));
    lane::clear(memory.get());
    in = lane(memory.get(), room);
    out = lane(memory.get(), room);
  }
  base::aligned_bytes memory;
  lane in, out;
};

std::vector<std::byte> made_of(std::uint32_t number, std::size_t bytes) {
  std::vector<std::byte> made(bytes);
  for (std::size_t k = 0; k < bytes; ++k) made[k] = static_cast<std::byte>(number * 31 + k);
  return made;
}

bool is_made_of(const lane::entry& e, std::uint32_t number, std::size_t bytes) {
  const std::vector<std::byte> made = made_of(number, bytes);
  return e.number == number && std::equal(e.content.begin(), e.content.end(), made.begin(), made.end());
}

TEST(lane, has_nothing_at_first) {
  ends_of_lane way(256);
  EXPECT_TRUE(way.out.front().content.empty());
  EXPECT_FALSE(lane());
  EXPECT_TRUE(way.in);
}

TEST(lane, takes_what_fits_and_refuses_the_rest) {
  ends_of_lane way(1024);
  EXPECT_FALSE(way.in.put(made_of(0, way.in.largest() + 1), 0));
  EXPECT_FALSE(way.in.put({}, 0));
  std::uint32_t taken = 0;
  while (way.in.put(made_of(taken, 100), taken)) ++taken;
  EXPECT_EQ(taken, 7u);  // of 128 bytes each; the last line says that nothing is behind them
  for (std::uint32_t k = 0; k < taken; ++k) {
    const lane::entry oldest = way.out.front();
    EXPECT_TRUE(is_made_of(oldest, k, 100));
    way.out.pop(oldest);
    EXPECT_TRUE(way.in.put(made_of(k + taken, 100), k + taken)) << "room that has been read";
  }
}

TEST(lane, takes_the_largest_wherever_the_last_one_ended) {
  ends_of_lane way(1024);
  for (std::uint32_t k = 0; k < 50; ++k) {
    for (const std::size_t bytes : {std::size_t{1} + k % 7 * 60, way.in.largest()}) {
      ASSERT_TRUE(way.in.put(made_of(k, bytes), k)) << k;
      const lane::entry oldest = way.out.front();
      ASSERT_TRUE(is_made_of(oldest, k, bytes)) << k;
      way.out.pop(oldest);
      EXPECT_TRUE(way.out.front().content.empty());
    }
  }
}

TEST(lane, brings_all_between_two_threads_in_order) {
  constexpr std::uint32_t entries = 20'000;
  ends_of_lane way(2048);
  random_stream random(20261125);
  std::vector<std::size_t> bytes_of(entries);
  for (std::size_t& bytes : bytes_of) bytes = 1 + random.below(way.in.largest());
  std::thread writer([&] {
    for (std::uint32_t k = 0; k < entries; ++k) {
      const std::vector<std::byte> next = made_of(k, bytes_of[k]);
      while (!way.in.put(next, k)) sched_yield();
    }
  });
  std::uint32_t wrong = 0;
  for (std::uint32_t k = 0; k < entries; ++k) {
    lane::entry oldest = way.out.front();
    for (; oldest.content.empty(); oldest = way.out.front()) sched_yield();
    wrong += !is_made_of(oldest, k, bytes_of[k]);
    way.out.pop(oldest);
  }
  writer.join();
  EXPECT_EQ(wrong, 0u);
}

}  // namespace
}  // namespace orujo::internal::node
